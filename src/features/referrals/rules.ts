import { formatCents } from '../../shared/money.ts'

/** What sending a neighbor is worth: credit, once, when the neighbor's first invoice is paid. */

export type RewardTerms = { referralOn: boolean; referralGiverCents: number; referralFriendCents: number }

/** What a customer is told they get, and their neighbor; null where nothing is promised. */
export const rewardWords = ({ referralOn, referralGiverCents, referralFriendCents }: RewardTerms): string | null => {
  if (!referralOn || referralGiverCents + referralFriendCents === 0) return null
  if (referralFriendCents === 0) return `${formatCents(referralGiverCents)} credit for who sends a neighbor.`
  if (referralGiverCents === 0) return `${formatCents(referralFriendCents)} credit for the neighbor who comes.`
  return `${formatCents(referralGiverCents)} credit for who sends a neighbor, ${formatCents(referralFriendCents)} for the neighbor.`
}

export type PaidBy = 'money' | 'note' | 'credit' | undefined

/**
 * Whether a paid invoice earns the reward: money or credit paid it. What was credited away brought nothing, and nobody earns by sending themselves.
 * @param giverId who sent them
 */
export const earnsReward = (
  terms: RewardTerms,
  { by, status, giverId, friendId }: { by: PaidBy; status: string; giverId: string; friendId: string },
): boolean =>
  terms.referralOn &&
  terms.referralGiverCents + terms.referralFriendCents > 0 &&
  by !== 'note' &&
  status === 'paid' &&
  giverId !== friendId

export const referralStates = ['asked', 'customer', 'rewarded', 'reopened', 'lost'] as const
export type ReferralState = (typeof referralStates)[number]
export const referralStateLabel: Record<ReferralState, string> = {
  asked: 'Asked for a price',
  customer: 'Customer, first invoice not paid yet',
  rewarded: 'Rewarded',
  reopened: 'Rewarded; their first invoice was taken back since',
  lost: 'Did not become a customer',
}

/** Where somebody who was sent stands. A reward that was given stays given: what became of its invoice is said beside it. */
export const referralState = (one: {
  stage: string
  customerId: string | null
  rewarded: boolean
  invoiceStatus: string | null
}): ReferralState => {
  if (one.rewarded) return one.invoiceStatus === 'paid' ? 'rewarded' : 'reopened'
  if (one.stage === 'lost') return 'lost'
  return one.customerId ? 'customer' : 'asked'
}

/** The letters of a code: none that is read as another. */
export const codeLetters = 'ACDEFGHJKLMNPQRTUVWXY34679'
export const codeLength = 6
