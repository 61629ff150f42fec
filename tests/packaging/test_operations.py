"""Files for operators name what is there: metrics, values, options and settings."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from lamella_adapters.mcp.http.metrics import Metrics
from tests.packaging.test_manifests import MANIFESTS, VERSION, read

FOLDER = MANIFESTS / "operations"
CHART = FOLDER / "helm"


def test_rules_and_the_dashboard_name_metrics_that_servers_have() -> None:
    figures = dict.fromkeys(("connections", "waiting", "waits", "wait_seconds"), 0.0)
    metrics = Metrics(lambda: figures, lambda: 0).text().decode()
    known = set(re.findall(r"^# TYPE (\S+)", metrics, re.MULTILINE))
    known |= {f"{name}_bucket" for name in known}
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"]
    panels = read("packaging/operations/grafana.json")["panels"]
    alerts = [each["expr"] for each in group["rules"]]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    named = set(re.findall(r"lamella_\w+", " ".join([*alerts, *shown])))
    assert named <= known
    counted = {each for each in known if not each.endswith(("_created", "_bucket", "lamella_tool_seconds"))}
    assert counted <= named
    assert all(
        {"severity"} == set(each["labels"]) and each["annotations"]["description"] for each in group["rules"]
    )


def test_the_chart_uses_each_of_its_values_and_is_kubernetes_yaml() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    template = (CHART / "templates" / "server.yaml").read_text("utf-8")
    assert set(re.findall(r"\.Values\.(\w+)", template)) == values.keys()
    deployment, service, budget = yaml.safe_load_all(re.sub(r"{{.*?}}", "x", template))
    assert [each["kind"] for each in (deployment, service, budget)] == [
        "Deployment",
        "Service",
        "PodDisruptionBudget",
    ]
    pod = deployment["spec"]["template"]
    selectors = (deployment["spec"]["selector"]["matchLabels"], service["spec"]["selector"])
    assert [*selectors, budget["spec"]["selector"]["matchLabels"]] == [pod["metadata"]["labels"]] * 3
    (container,) = pod["spec"]["containers"]
    assert {each["name"] for each in container["volumeMounts"]} == {
        each["name"] for each in pod["spec"]["volumes"]
    }


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (FOLDER / "lamella.service").read_text("utf-8")
    installed = tmp_path / "lamella.service"
    installed.write_text(unit.replace("/usr/local/bin/lamella", str(Path(sys.executable).with_name("lamella"))))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(installed)], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, [each for each in verified.stderr.splitlines() if str(installed) in each]) == (
        0,
        [],
    )
