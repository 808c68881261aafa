from functools import wraps

import dramatiq


def actor(queue):
    def decorator(function):
        @wraps(function)
        def wrapper(*args, **kwargs):  # <- handler
            return function(*args, **kwargs)

        return dramatiq.actor(queue_name=queue)(wrapper)

    return decorator


@actor("letters")
def on_letter(letter):  # <- handler
    print(letter)
