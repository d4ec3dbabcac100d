import type { SessionUser } from '../features/accounts/contract.ts'

type Banner = { title: string; text: string; action: string; href: string }

const soonMs = 3 * 86_400_000

/** What stands above every screen of the office about the subscription, or null. `day` writes an instant as a day of the business. */
export const bannerOf = (
  {
    subscriptionActive,
    subscriptionTier,
    billing,
  }: Pick<SessionUser, 'subscriptionActive' | 'subscriptionTier' | 'billing'>,
  now: Date,
  day: (instant: string) => string,
): Banner | null => {
  const isSoon = (instant: string | null | undefined): instant is string =>
    typeof instant === 'string' && Date.parse(instant) - now.getTime() <= soonMs
  const profile = '/profile#plan'
  if (!subscriptionActive || !subscriptionTier)
    return billing?.status === 'past_due' || billing?.status === 'unpaid'
      ? {
          title: 'Read-only: the last payment did not go through.',
          text: 'Nothing is lost, and your crews finish their work.',
          action: 'Update card',
          href: profile,
        }
      : {
          title: 'No active subscription.',
          text: 'You can read and export everything; booking and invoicing wait for a plan.',
          action: 'See plans',
          href: '/pricing',
        }
  if (billing?.graceEndsAt)
    return {
      title: 'The last payment did not go through.',
      text: `Everything stays on until ${day(billing.graceEndsAt)}.`,
      action: 'Update card',
      href: profile,
    }
  if (isSoon(billing?.endsAt))
    return {
      title: `Your plan ends on ${day(billing.endsAt)}.`,
      text: 'After that the office reads only. You can take it back until then.',
      action: 'Keep the plan',
      href: profile,
    }
  return isSoon(billing?.trialEndsAt)
    ? {
        title: `Your trial ends on ${day(billing.trialEndsAt)}.`,
        text: 'The card on file is charged then.',
        action: 'Your plan',
        href: profile,
      }
    : null
}
