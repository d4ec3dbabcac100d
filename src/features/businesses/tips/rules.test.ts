import { expect, it } from 'vitest'
import { mostTipCents, noTips, type Tips, tipChoices, tipsLabel, tipsOf } from './rules.ts'

it.each<[string, Tips, number, number[]]>([
  ['off', noTips, 5000, []],
  ['percent', { ...noTips, kind: 'percent' }, 5333, [533, 800, 1067]],
  ['percent of nothing', { ...noTips, kind: 'percent' }, 0, []],
  [
    'amounts, the least first and none twice',
    { ...noTips, kind: 'amount', amountsCents: [1000, 500, 1000] },
    5000,
    [500, 1000],
  ],
])('%s', (_, tips, work, cents) => {
  expect(tipChoices(tips, work).map((choice) => choice.cents)).toEqual(cents)
})

it('nothing stored is off, and what is chosen is said in words', () => {
  expect(tipsOf({})).toEqual(noTips)
  expect([
    tipsLabel(noTips),
    tipsLabel({ ...noTips, kind: 'percent' }),
    tipsLabel({ ...noTips, kind: 'amount' }),
  ]).toEqual(['off', '10%, 15%, or 20%', '$5.00, $10.00, or $20.00'])
})

it('a slip of the keys is no tip: at most what is paid, or $100', () => {
  expect([mostTipCents(5000), mostTipCents(50_000)]).toEqual([10_000, 50_000])
})
