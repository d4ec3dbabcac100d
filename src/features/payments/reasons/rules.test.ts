import { expect, it } from 'vitest'
import { declineMessages } from '../cards/rules.ts'
import { bankProblems } from '../debits/rules.ts'
import { reasonIn } from './rules.ts'

it('each reason of a bank is said in Spanish too', () => {
  for (const reason of [...declineMessages, ...bankProblems]) {
    expect(reasonIn('en', reason)).toBe(reason)
    expect(reasonIn('es', reason), reason).not.toBe('')
  }
  expect(reasonIn('es', 'Whatever a provider says')).toBe('')
})
