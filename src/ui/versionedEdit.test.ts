import { describe, expect, it } from 'vitest'
import { ApiError } from '../shared/client.ts'
import { latestVersion, openedAt, stepEdit } from './versionedEdit.ts'

const refused = stepEdit(openedAt(3), { kind: 'refused', latest: 5 })

describe('a form of a record that others change too', () => {
  it('asks when a save was refused, and keeps what it was opened with', () =>
    expect(refused).toEqual({ base: 3, latest: 5, awaited: null, filled: 0 }))
  it('sends mine with the newer version', () =>
    expect(stepEdit(refused, { kind: 'mine' })).toEqual({ base: 5, latest: null, awaited: null, filled: 0 }))
  it('fills the form anew only when the newer version has come', () => {
    const waiting = stepEdit(refused, { kind: 'theirs' })
    expect(waiting).toMatchObject({ latest: 5, awaited: 5, filled: 0 })
    expect(stepEdit(waiting, { kind: 'arrived', version: 4 })).toBe(waiting)
    expect(stepEdit(waiting, { kind: 'arrived', version: 6 })).toEqual({
      base: 6,
      latest: null,
      awaited: null,
      filled: 1,
    })
  })
  it('leaves the form alone while nobody asked for the new state', () => {
    expect(stepEdit(openedAt(3), { kind: 'arrived', version: 4 })).toEqual(openedAt(3))
    expect(stepEdit(refused, { kind: 'arrived', version: 6 })).toBe(refused)
  })
  it('asks again after a person went back without a choice', () =>
    expect(stepEdit(refused, { kind: 'stay' })).toEqual(openedAt(3)))
})

describe('what an error says of the newer version', () => {
  const conflict = (details: Record<string, unknown>) => new ApiError('version_conflict', 'x', 409, { details })
  it.each([
    [conflict({ version: 7 }), 7],
    [conflict({}), null],
    [new ApiError('conflict', 'x', 409, { details: { version: 7 } }), null],
    [new Error('x'), null],
  ])('%s', (error, version) => expect(latestVersion(error)).toBe(version))
})
