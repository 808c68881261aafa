from common import Subscription, subscribe_all, subscribe_pairs


async def on_order(message):  # <- handler
    print(message.body)


async def on_bill(message):  # <- handler
    print(message.body)


async def on_parcel(message):  # <- handler
    print(message.body)


async def on_letter(message):  # <- handler
    print(message.body)


async def on_nothing(message):
    print(message.body)


TABLE = (
    Subscription("orders", on_order, {}),
    Subscription("bills", on_bill, {"durable": True}),
)


async def start():
    await subscribe_all(TABLE)
    await subscribe_pairs([("parcels", on_parcel), ("letters", on_letter)])
