"""Fits the logistic scores of pinches and of flights, and writes their weights as Swift."""
import numpy as np


def fit(x, y, weights, ridge, constant):
    """The weights of the columns of x by Newton's method; the ridge does not apply to the column `constant`."""
    solution = np.zeros(x.shape[1])
    penalty = np.eye(x.shape[1]) * ridge
    penalty[constant, constant] = 1e-9
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ solution, -30, 30)))
        curve = weights * p * (1 - p) + 1e-9
        step = np.linalg.solve((x * curve[:, None]).T @ x + penalty, x.T @ (weights * (y - p)) - penalty @ solution)
        solution += step
        if abs(step).max() < 1e-7:
            break
    return solution


def rows(names, columns, digits):
    """Swift tuples, one line per term: its mean, scale, weight and typical value."""
    return [f"        ({', '.join(f'{value:.{digits}g}' for value in values)}),  // {name}"
            for name, *values in zip(names, *columns)]
