import { describe, expect, test } from 'vitest'
import { screenAt } from '../shared/screens.ts'
import { type KeyPress, keyReader, shortcuts } from './shortcuts.ts'

const press = (key: string, changes: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrl: false,
  meta: false,
  alt: false,
  typing: false,
  at: 0,
  ...changes,
})

describe('keys', () => {
  test('a key with Ctrl or Cmd belongs to the browser or the palette', () => {
    const read = keyReader()
    expect(read(press('k', { ctrl: true }))).toBeNull()
    expect(read(press('n', { meta: true }))).toBeNull()
  })

  test.each([
    ['c', '/customers'],
    ['j', '/jobs?tab=manage'],
    ['R', '/route-map'],
    ['d', '/dashboard'],
  ])('G then %s goes', (key, go) => {
    const read = keyReader()
    expect(read(press('g', { at: 0 }))).toBeNull()
    expect(read(press(key, { at: 500 }))).toEqual({ go })
  })

  test('G is forgotten after a moment, after another key, and is no letter of a text', () => {
    const late = keyReader()
    late(press('g', { at: 0 }))
    expect(late(press('c', { at: 5_000 }))).toBeNull()
    const other = keyReader()
    other(press('g'))
    other(press('x', { at: 10 }))
    expect(other(press('c', { at: 20 }))).toBeNull()
    const typing = keyReader()
    typing(press('g', { typing: true }))
    expect(typing(press('c', { at: 10 }))).toBeNull()
  })

  test('? shows the map and N does the main thing', () => {
    const read = keyReader()
    expect(read(press('?'))).toEqual({ map: true })
    expect(read(press('n'))).toEqual({ main: true })
    expect(read(press('n', { typing: true }))).toBeNull()
  })
})

test('every key that goes somewhere goes to a screen', () => {
  for (const shortcut of shortcuts)
    if ('go' in shortcut) expect(screenAt(shortcut.go.split('?')[0] ?? '')).not.toBeNull()
})
