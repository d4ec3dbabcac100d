import { describe, expect, it } from 'vitest'
import { timeZoneLabel } from './timeZone.ts'

describe('a time zone as people call it', () => {
  it.each([
    ['America/New_York', 'Eastern Time'],
    ['America/Los_Angeles', 'Pacific Time'],
    ['UTC', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['Etc/GMT+3', 'UTC-03:00'],
    ['Pacific/Honolulu', 'Hawaii-Aleutian Standard Time'],
    ['Mars/Olympus_Mons', 'Olympus Mons'],
  ])('%s is %s', (zone, label) => expect(timeZoneLabel(zone)).toBe(label))
})
