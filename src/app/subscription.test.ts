import { expect, test } from 'vitest'
import { bannerOf } from './subscription.ts'

const now = new Date('2026-06-12T12:00:00Z')
const none = { trialEndsAt: null, graceEndsAt: null, endsAt: null }
const on = { subscriptionActive: true, subscriptionTier: 'pro' as const }
const off = { subscriptionActive: false, subscriptionTier: null }

test.each([
  ['active', on, { status: 'active', ...none }, undefined],
  ['an employee of an active one', on, null, undefined],
  ['none', off, { status: 'none', ...none }, 'No active subscription.'],
  ['ended', off, { status: 'canceled', ...none, endsAt: '2026-06-01T00:00:00Z' }, 'No active subscription.'],
  [
    'past the grace',
    { ...off, subscriptionTier: 'pro' as const },
    { status: 'past_due', ...none, graceEndsAt: '2026-06-01T00:00:00Z' },
    'Read-only: the last payment did not go through.',
  ],
  [
    'in the grace',
    on,
    { status: 'past_due', ...none, graceEndsAt: '2026-06-15T00:00:00Z' },
    'The last payment did not go through.',
  ],
  ['a trial with a week left', on, { status: 'trialing', ...none, trialEndsAt: '2026-06-20T00:00:00Z' }, undefined],
  [
    'a trial with two days left',
    on,
    { status: 'trialing', ...none, trialEndsAt: '2026-06-14T00:00:00Z' },
    'Your trial ends on 2026-06-14.',
  ],
  ['canceled, a month left', on, { status: 'active', ...none, endsAt: '2026-07-12T00:00:00Z' }, undefined],
  [
    'canceled, a day left',
    on,
    { status: 'active', ...none, endsAt: '2026-06-13T00:00:00Z' },
    'Your plan ends on 2026-06-13.',
  ],
] as const)('%s', (_, state, billing, title) =>
  expect(bannerOf({ ...state, billing }, now, (instant) => instant.slice(0, 10))?.title).toBe(title),
)
