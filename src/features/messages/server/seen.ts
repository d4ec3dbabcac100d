import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { AppError } from '../../../shared/errors.ts'
import { beginAnswerTx } from '../conversations/server/commands.ts'
import { answeredWords, isWrittenByHand } from '../rules.ts'

/** Of so many messages that came after what was seen it is looked whether a person wrote one. */
const mostSince = 60

/**
 * Who writes sees first what somebody else answered since they saw the thread; who saw it sends.
 * @param seen the newest message that stood there; null for an empty thread, undefined where no thread is shown
 * @throws state_conflict with `details.answered`, which to have seen lets it leave
 */
export const requireSeenAnswers = async (
  db: TenantDb,
  actor: Actor,
  customerId: string,
  seen: string | null | undefined,
): Promise<void> => {
  if (seen === undefined) return
  await beginAnswerTx(db, customerId)
  let since = db
    .selectFrom('messages as m')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'm.businessId').onRef('u.id', '=', 'm.userId'))
    .select(['m.id', 'm.userId', 'm.dedupeKey', 'm.direction', 'm.bodyText', 'm.createdAt', 'u.name'])
    .where('m.businessId', '=', db.businessId)
    .where('m.customerId', '=', customerId)
  if (seen !== null) since = since.where('m.id', '>', seen)
  const rows = await since.orderBy('m.id', 'desc').limit(mostSince).execute()
  const answer = rows.find(({ direction, dedupeKey }) => direction === 'outbound' && isWrittenByHand(dedupeKey))
  if (answer)
    throw new AppError('state_conflict', answeredWords(answer, actor, clock.nowMs()), {
      details: { answered: answer.id },
    })
}
