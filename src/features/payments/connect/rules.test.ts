import { describe, expect, it } from 'vitest'
import { type AccountFacts, connectState, connectWords, pausedMessage, requirementLabels, takesCards } from './rules.ts'

const ready: AccountFacts = {
  chargesEnabled: true,
  payoutsEnabled: true,
  detailsSubmitted: true,
  requirements: [],
  pausedReason: null,
  disconnected: false,
  removed: false,
}
const off = { chargesEnabled: false, payoutsEnabled: false }

describe('the state of an account', () => {
  it.each<[string, Partial<AccountFacts> | null, boolean]>([
    ['none', null, false],
    ['ready', {}, true],
    ['needsInfo', { requirements: ['external_account'] }, true],
    ['needsInfo', { payoutsEnabled: false }, true],
    ['incomplete', { ...off, detailsSubmitted: false, requirements: ['tos_acceptance.date'] }, false],
    ['checking', { ...off, pausedReason: 'requirements.pending_verification' }, false],
    ['checking', { ...off, pausedReason: 'under_review' }, false],
    ['paused', { ...off, pausedReason: 'rejected.fraud' }, false],
    ['paused', { ...off, pausedReason: 'requirements.past_due', requirements: ['external_account'] }, false],
    ['disconnected', { disconnected: true }, false],
    ['removed', { removed: true, disconnected: true }, false],
  ])('%s', (state, facts, takes) => {
    const account = facts === null ? null : { ...ready, ...facts }
    expect([connectState(account), takesCards(account)]).toEqual([state, takes])
    expect(connectWords(connectState(account), account?.pausedReason ?? null).message).toMatch(/\.$/)
  })
})

describe('what is asked for, in words', () => {
  it('each once, in order, nothing left out', () =>
    expect(
      requirementLabels([
        'external_account',
        'individual.verification.document',
        'person_1Ab.verification.document',
        'tos_acceptance.date',
        'tos_acceptance.ip',
        'individual.ssn_last_4',
        'brand_new.thing_asked',
      ]),
    ).toEqual([
      'A bank account for your payouts',
      'A photo of your driver’s license or passport',
      'Your yes to the provider’s terms',
      'The last 4 digits of your Social Security number',
      'Brand new thing asked',
    ]))

  it.each(['rejected.other', 'listed', 'platform_paused', 'requirements.past_due', 'other', null])('%s', (reason) =>
    expect(pausedMessage(reason)).toMatch(/\.$/),
  )
})
