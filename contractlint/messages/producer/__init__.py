"""What a producer's schemas promise: is the contract in them, and whom does a change break?

Both questions are one: is there a message that one schema accepts and another one rejects? `search`
looks for such a message, or proves that there is none; everything above it only asks.
"""
