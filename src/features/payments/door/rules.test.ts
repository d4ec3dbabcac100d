import { describe, expect, it } from 'vitest'
import { differenceLabel, isDoorMoney, maskedEmail, maskedPhone, mostAtDoorCents, referenceOf } from './rules.ts'

describe('money at the door', () => {
  it.each([
    [{ amountCents: 1, method: 'cash' as const }, true],
    [{ amountCents: mostAtDoorCents, method: 'check' as const, checkNumber: '7' }, true],
    [{ amountCents: mostAtDoorCents + 1, method: 'cash' as const }, false],
    [{ amountCents: 0, method: 'cash' as const }, false],
    [{ amountCents: 100, method: 'check' as const, checkNumber: '  ' }, false],
    [{ amountCents: 100 }, false],
    [{}, false],
  ])('is taken as %o: %s', (money, good) => {
    expect(isDoorMoney(money)).toBe(good)
  })

  it('names a customer’s addresses without telling them', () => {
    expect([maskedEmail('rosa.odom@example.com'), maskedPhone('+1 (912) 555-0142')]).toEqual([
      'r•••@example.com',
      '•••-0142',
    ])
  })

  it('has a reference from the part of an id that is by chance', () => {
    expect(referenceOf('01a2071e-1b2c-7d3e-8f40-51627f3a21c4')).toBe('7F3A-21C4')
  })

  it('names a difference', () => {
    expect([differenceLabel(500, 500), differenceLabel(500, 200), differenceLabel(0, 100)]).toEqual([
      null,
      '$3.00 is missing',
      '$1.00 too much',
    ])
  })
})
