import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedNote, customerText } from './rules.ts'

describe('a part of a note that was changed', () => {
  it.each([
    ['', { was: '', text: 'Gate sticks' }, 'Gate sticks'],
    ['Gate sticks', { was: 'Gate sticks', text: 'Gate sticks, lift it' }, 'Gate sticks, lift it'],
    ['Gate sticks', { was: 'Gate sticks', text: '' }, ''],
    // somebody else wrote meanwhile
    ['Dog is out', { was: '', text: 'Gate sticks' }, 'Dog is out\nGate sticks'],
    [
      'Gate sticks\nDog is out',
      { was: 'Gate sticks', text: 'Gate sticks\nSoft behind the shed' },
      'Gate sticks\nDog is out\nSoft behind the shed',
    ],
    // the same again
    ['Dog is out\nGate sticks', { was: '', text: 'Gate sticks' }, 'Dog is out\nGate sticks'],
    ['Dog is out', { was: 'Gate sticks', text: '' }, 'Dog is out'],
  ])('%j and %j is %j', (now, change, then) => expect(changedNote(now, change)).toBe(then))

  it('changes nothing when it comes twice, and loses no words of others', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (now, was, text) => {
        const once = changedNote(now.trim(), { was, text })
        if (now.trim() !== was.trim() && text.trim() !== now.trim()) expect(once.startsWith(now.trim())).toBe(true)
        if (!text.includes('\n') && !was.trim()) expect(changedNote(once, { was, text })).toBe(once)
      }),
    ))
})

describe('what the customer reads', () => {
  const none = { customerNote: '', sawNote: '', didNote: '', expectNote: '' }
  it.each([
    [none, 'en', ''],
    [{ ...none, customerNote: 'Looks great.' }, 'en', 'Looks great.'],
    [{ ...none, didNote: ' Mowed higher. ' }, 'en', 'What we did: Mowed higher.'],
    [
      { customerNote: '', sawNote: 'Weeds.', didNote: 'Mowed.', expectNote: 'Less weeds.' },
      'en',
      'What we saw: Weeds.\nWhat we did: Mowed.\nWhat to expect: Less weeds.',
    ],
    [
      { customerNote: 'Hola.', sawNote: 'Maleza.', didNote: '', expectNote: 'Menos maleza.' },
      'es',
      'Hola.\nLo que vimos: Maleza.\nQué esperar: Menos maleza.',
    ],
  ])('%j in %s is %j', (words, language, text) => expect(customerText(words, language)).toBe(text))
})
