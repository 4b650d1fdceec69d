import { statfsSync } from "node:fs";

/** Network file systems, by their magic numbers: WAL needs shared memory, which does not work there. */
const NETWORK_FILE_SYSTEMS = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB 2
  0xff534d42, // CIFS
  0x01021997, // 9P
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x786f4256, // VirtualBox shared folders
  0x65735546, // FUSE, which may be sshfs
]);

export const journalFor = (fileSystem: number): "WAL" | "DELETE" =>
  NETWORK_FILE_SYSTEMS.has(fileSystem) ? "DELETE" : "WAL";

export function journalIn(directory: string): "WAL" | "DELETE" {
  try {
    return journalFor(statfsSync(directory).type >>> 0);
  } catch {
    return "WAL";
  }
}
