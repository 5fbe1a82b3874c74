#!/bin/sh
# A SLURM of one node on loopback, from Debian's packages: `start.sh FOLDER` starts it, `start.sh stop FOLDER` ends it.
# It needs root, for munge and slurmd do; everything it writes is in FOLDER.
set -eu

stop() {
    for name in slurmd slurmctld; do
        [ -f "$1/$name.pid" ] && kill "$(cat "$1/$name.pid")" 2>/dev/null || true
    done
    [ -f "$1/munge/munged.pid" ] && kill "$(cat "$1/munge/munged.pid")" 2>/dev/null || true
}

if [ "$1" = stop ]; then
    stop "$2"
    exit 0
fi

if [ "$(id -u)" != 0 ]; then
    echo "this needs root: slurmd and munged do" >&2
    exit 1
fi
if ! command -v slurmctld >/dev/null; then
    echo "installing slurm-wlm"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slurm-wlm >/dev/null
fi

folder=$1
mkdir -p "$folder/munge" "$folder/state" "$folder/spool"
host=$(hostname -s)
cpus=$(nproc)
megabytes=$(awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo)

# munge refuses keys and folders that others could write.
chmod 700 "$folder/munge"
[ -f "$folder/munge/key" ] || (umask 077 && dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null)
munged --force --key-file="$folder/munge/key" --pid-file="$folder/munge/munged.pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --socket="$folder/munge/socket"

cat >"$folder/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$megabytes State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF

export SLURM_CONF="$folder/slurm.conf"
slurmctld
slurmd
for _ in $(seq 60); do
    if sinfo -h -o %t 2>/dev/null | grep -q idle; then
        echo "SLURM is up: SLURM_CONF=$SLURM_CONF"
        exit 0
    fi
    sleep 1
done
echo "SLURM did not come up; see the logs in $folder" >&2
exit 1
