import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { zipOf } from './zip.ts'

const files = [
  { name: 'customers.csv', content: Buffer.from('name\r\nJosé\r\n'.repeat(2000)) },
  { name: 'Empty — ünïcode.txt', content: Buffer.alloc(0) },
]

/** Reads an archive by its directory, as a program would. */
const unzip = (archive: Buffer): Record<string, string> => {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = archive.readUInt32LE(end + 16)
  const found: Record<string, string> = {}
  for (let i = 0; i < archive.readUInt16LE(end + 10); i++) {
    const [packed, nameLength, local] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ]
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString()
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    found[name] = inflateRawSync(archive.subarray(start, start + packed)).toString()
    at += 46 + nameLength
  }
  return found
}

it('makes an archive that gives back what went in', async () => {
  const archive = await zipOf(files, new Date('2026-06-12T10:20:30Z'))
  expect(unzip(archive)).toEqual(Object.fromEntries(files.map((f) => [f.name, f.content.toString()])))
  expect(archive.length).toBeLessThan(1000)
})

const reader = (() => {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
})()

it.runIf(reader)('another program finds no fault in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-zip-'))
  try {
    const path = join(folder, 'a.zip')
    writeFileSync(path, await zipOf(files, new Date('2026-06-12T10:20:30Z')))
    const said = execFileSync('python3', [
      '-c',
      'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist(), z.infolist()[0].date_time)',
      path,
    ]).toString()
    expect(said.trim()).toBe("None ['customers.csv', 'Empty — ünïcode.txt'] (2026, 6, 12, 10, 20, 30)")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
