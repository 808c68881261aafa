class Listing:
    def enter_order(self, body):  # <- handler
        print(body)
