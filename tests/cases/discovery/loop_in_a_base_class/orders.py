from base import Base


class Orders(Base):
    def handle(self, message):  # <- handler
        self.keep(message)

    def keep(self, message):  # <- handler
        print(message)
