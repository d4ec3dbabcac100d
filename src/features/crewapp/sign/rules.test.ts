import { describe, expect, it } from 'vitest'
import { defaultServices } from '../../services/defaults/rules.ts'
import { asksForSign, isSignTicked, signTicks } from './rules.ts'

describe('the sign of a treatment', () => {
  it.each([
    ['Sign posted', true],
    ['Lawn flag posted', true],
    ['Post the sign.', true],
    ['Put the pesticide warning sign up', true],
    ['Flags placed at the curb', true],
    ['Letrero puesto', true],
    ['Bandera de aviso puesta', true],
    ['Sprinkler flags placed', false],
    ['Sign posted and gate closed', false],
    ['No sign posted', false],
    ['Customer signed', false],
    ['Wind checked before spraying', false],
  ])('is what "%s" asks for: %s', (text, is) => expect(asksForSign(text)).toBe(is))

  it('is asked for by the checklist that a treatment begins with', () => {
    const items = defaultServices.find(({ code }) => code === 'fert-weed')?.checklist ?? []
    expect(items.map(({ text, es }) => [asksForSign(text), asksForSign(es ?? '')])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('is said once: the tick fills the record, and the record the tick, also where both differ', () => {
    const checklist = [
      { text: 'Lawn flag posted', required: true },
      { text: 'Wind checked', required: false },
    ]
    expect([isSignTicked({ checked: ['Lawn flag posted'] }), isSignTicked({ checked: ['Wind checked'] })]).toEqual([
      true,
      false,
    ])
    expect(signTicks({ checklist, checked: [] }, true)).toEqual([{ item: 'Lawn flag posted', done: true }])
    expect(signTicks({ checklist, checked: ['Lawn flag posted'] }, false)).toEqual([
      { item: 'Lawn flag posted', done: false },
    ])
    expect(signTicks({ checklist, checked: ['Lawn flag posted', 'Wind checked'] }, true)).toEqual([])
    const byPhoto = [{ text: 'Sign posted', required: true, photo: true }]
    expect(signTicks({ checklist: byPhoto, checked: [] }, true)).toEqual([])
  })
})
