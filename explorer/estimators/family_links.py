"""Where each family was published: the link of an estimator's HTML page."""

_CART = "https://doi.org/10.1201/9781315139470"  # Breiman, Friedman, Olshen, Stone 1984
_BREIMAN = "https://doi.org/10.1023/A:1010933404324"
_MENZE = "https://doi.org/10.1007/978-3-642-23783-6_29"
_TOMITA = "https://doi.org/10.1137/1.9781611974973.56"
_DO = "https://doi.org/10.1007/978-3-642-00580-0_3"
_HO = "https://doi.org/10.1109/ICDAR.1995.598994"

LINKS = {
    "CART": _CART,
    "RF": _BREIMAN,
    "RF-thresholds": _BREIMAN,  # Sazonau's report has no address of its own
    "RF-C4.5": _DO,
    "F-RC": _TOMITA,
    "FRANK": _TOMITA,
    "RR-RF": _TOMITA,
    "RR-RF(r)": _TOMITA,
    "F-RC-sparse": _TOMITA,
    "RF-ODT": _DO,
    "RDF-CAP": _HO,
    "RDF-PER": _HO,
}


def paper_of(family: object) -> str:
    """The paper of a family; that on oblique random forests for all of Menze's."""
    return LINKS.get(str(family), _MENZE)
