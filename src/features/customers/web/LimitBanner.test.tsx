import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { type Counts, LimitBanner } from './LimitBanner.tsx'

const counts = { all: 25, limit: 25, planName: 'Basic', nextPlanName: 'Pro' } as Counts

const opened = (subscriptionActive: boolean, changes: Partial<Counts> = {}) => {
  const state = { phase: 'signedIn', user: { subscriptionActive } }
  const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
  show(
    <SessionContext value={session}>
      <LimitBanner counts={{ ...counts, ...changes }} />
    </SessionContext>,
  )
  return screen.queryByText(/plan is full|customers on/)?.textContent ?? null
}

it.each([
  ['full with a plan', true, {}, 'Your Basic plan is full.'],
  ['nearly full with a plan', true, { all: 20 }, '20 of 25 customers on Basic.'],
  ['far from full', true, { all: 19 }, null],
  ['without a limit', true, { limit: null }, null],
  ['without a plan, which another banner says already', false, {}, null],
] as const)('%s', (_, hasPlan, changes, words) => expect(opened(hasPlan, changes)).toBe(words))
