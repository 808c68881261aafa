from listener import listening


def first():  # <- handler
    with listening() as listener:
        for event in listener.events():
            print(event.payload)


def second():  # <- handler
    with listening() as listener:
        for event in listener.events():
            print(event.payload)
