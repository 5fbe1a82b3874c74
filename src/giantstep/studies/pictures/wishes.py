"""What somebody wishes of a picture: one panel alone, another title, no caption, logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from giantstep.errors import InputError, NoRoomError
from giantstep.figures import CurvePicture, Drawing, HeatMapPicture, Look, PanelPicture, Picture, SinglePicture, draw
from giantstep.studies.pictures.whole import reading


@dataclass(frozen=True)
class Wishes:
    """Changes of a picture that leave its numbers as they are.

    Args:
        panel: the letter of the panel to be drawn alone; all of them if empty.
        title: what stands above it; as it was if empty.
        caption: whether its caption stays.
        log_x: whether horizontal axes are logarithmic; as they were if None.
        log_y: the same for vertical axes.
        heat_map: whether what has two numeric axes is a heat map, or curves; as the study has it if None.
    """

    panel: str = ""
    title: str = ""
    caption: bool = True
    log_x: bool | None = None
    log_y: bool | None = None
    heat_map: bool | None = None

    def met_by(self, picture: Picture) -> Picture:
        """The `picture` as it is wished for."""
        if self.panel:
            picture = self._alone(picture)
        panels = tuple(self._scaled(panel) for panel in _panels(picture))
        picture = replace(picture, panels=panels) if isinstance(picture, PanelPicture) else panels[0]
        if self.title:
            picture = replace(picture, title=self.title)
        if not self.caption:
            picture = replace(picture, caption="")
            if isinstance(picture, PanelPicture):
                picture = replace(picture, panels=tuple(replace(one, caption="") for one in picture.panels))
        return picture

    def _alone(self, picture: Picture) -> Picture:
        panels = list(_panels(picture))
        letters = [chr(ord("a") + i) for i in range(len(panels))]
        if self.panel.lower() not in letters:
            there = f"it has {letters[0]} to {letters[-1]}" if len(letters) > 1 else "it has one panel, a"
            raise InputError(f"the picture has no panel '{self.panel[:20]}'; {there}")
        chosen = panels[letters.index(self.panel.lower())]
        how, rest = reading(panels), picture.caption
        if how and rest.startswith(how):  # how to read the other panels would puzzle
            rest = f"{reading([chosen])}{rest.removeprefix(how)}".strip()
        return replace(chosen, caption=chosen.caption or rest)

    def _scaled(self, panel: SinglePicture) -> SinglePicture:
        if not isinstance(panel, CurvePicture | HeatMapPicture):
            return panel
        log_x = panel.log_x if self.log_x is None else self.log_x
        log_y = panel.log_y if self.log_y is None else self.log_y
        return replace(panel, log_x=log_x, log_y=log_y)


def drawn(pictures: Sequence[Picture], wishes: Wishes, look: Look) -> list[Drawing]:
    """The `pictures` as they are wished for; where a size is too small, each panel alone and without caption."""
    try:
        return [draw(wishes.met_by(picture), look) for picture in pictures]
    except NoRoomError:
        sheets = [panel for picture in pictures for panel in _alone(wishes.met_by(picture), wishes.title)]
        return [draw(replace(panel, caption=""), look) for panel in sheets]


def _alone(picture: Picture, title: str) -> list[SinglePicture]:
    """The panels of a picture, each under the `title` that somebody wished for the whole, if there is one."""
    if not title or not isinstance(picture, PanelPicture):
        return list(_panels(picture))
    return [replace(one, title=f"{title}: {one.title}" if one.title else title) for one in picture.panels]


def _panels(picture: Picture) -> tuple[SinglePicture, ...]:
    return tuple(picture.panels) if isinstance(picture, PanelPicture) else (picture,)
