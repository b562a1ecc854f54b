"""A curve with error bars beside the line it should follow, as SVG. It knows nothing of chess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 480
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 52
TICK = 200
CAP = 4


@dataclass(frozen=True)
class Point:
    """What was set, what was measured, and half the width of its interval."""

    x: float
    y: float
    error: float


def curve(points: Sequence[Point], x_title: str, y_title: str) -> str:
    """Both axes have one scale, so that agreement is the diagonal."""
    values = [end for point in points for end in (point.x, point.y - point.error, point.y + point.error)]
    low = (min(values, default=0) // TICK) * TICK
    high = -(-max(values, default=TICK) // TICK) * TICK
    span = max(high - low, TICK)

    def across(value: float) -> float:
        return LEFT + (value - low) / span * (WIDTH - LEFT - RIGHT)

    def up(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / span * (HEIGHT - TOP - BOTTOM)

    def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
        return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<style>.grid{stroke:#8884}.ideal{stroke:#888;stroke-dasharray:5 4}.bar{stroke:#27c;stroke-width:1.5}"
        ".curve{fill:none;stroke:#27c;stroke-width:2}circle{fill:#27c}text{fill:#888}</style>",
    ]
    ticks = int(span // TICK)
    for number in range(ticks + 1):
        value = low + number * TICK
        parts.append(line(across(value), up(low), across(value), up(low + span), "grid"))
        parts.append(line(across(low), up(value), across(low + span), up(value), "grid"))
        parts.append(f'<text x="{across(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value:.0f}</text>')
        parts.append(f'<text x="{LEFT - 8}" y="{up(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>')
    parts.append(line(across(low), up(low), across(low + span), up(low + span), "ideal"))
    way = " ".join(f"{across(point.x):.1f},{up(point.y):.1f}" for point in points)
    parts.append(f'<polyline class="curve" points="{way}"/>')
    for point in points:
        x, top, bottom = across(point.x), up(point.y + point.error), up(point.y - point.error)
        parts.append(line(x, top, x, bottom, "bar"))
        parts += [line(x - CAP, end, x + CAP, end, "bar") for end in (top, bottom)]
        parts.append(f'<circle cx="{x:.1f}" cy="{up(point.y):.1f}" r="3"/>')
    middle_x, middle_y = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="{middle_x}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>')
    parts.append(f'<text transform="translate(14 {middle_y}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
