import type { Refusal } from '../../../shared/can.ts'

export const feedActions = ['revoke'] as const
export type FeedAction = (typeof feedActions)[number]

/** Why a feed refuses what the office would do with it. */
export const feedRefusals: Record<FeedAction, Refusal<{ revokedAt: string | null }>> = {
  revoke: ({ revokedAt }) => (revokedAt ? 'This address was revoked already. Nothing was changed.' : null),
}

/** Days that a feed shows before and after today. */
export const feedDays = { back: 14, ahead: 60 } as const
