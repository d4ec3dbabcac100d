import { call } from '../../../../shared/client.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { crewappApi } from '../../contract.ts'
import { failureOf } from '../lane.ts'
import { dropCodesOf, dropOldCodes, forgetCodesOf, type KeptCode, keepCode, keptCode } from './keptCodes.ts'

const patienceMs = 15_000
/** With a code on the phone nobody stands at the gate for longer than this. */
const shortPatienceMs = 4_000

const ask = async (visitId: string, ms: number): Promise<string> => {
  const signal = AbortSignal.timeout(ms)
  return (await call(crewappApi.gateCode, { params: { visitId } }, { signal, retries: 0 })).code
}

type Looks = {
  userId: string
  visitId: string
  timeZone: string
  /** Whether who asked has not left the phone meanwhile. */
  isHere: () => boolean
  /** Writes down on the phone that it was looked at, for the office. @throws when the phone cannot keep it */
  note: () => Promise<unknown>
}

/**
 * A gate code from the server, which writes down who looks. Without an answer it is the one that this person has seen today; that look is written down
 * on the phone before the code is shown. What the server refuses is on the phone no more.
 * @returns `seenAt` where it comes from the phone
 * @throws ApiError
 */
export const lookUpGateCode = async ({
  userId,
  visitId,
  timeZone,
  isHere,
  note,
}: Looks): Promise<Partial<KeptCode> & { code: string }> => {
  // a phone that cannot seal or keep anything has what the server says
  const kept = await keptCode({ userId, visitId }, Date.now()).catch(() => null)
  try {
    const code = await ask(visitId, kept ? shortPatienceMs : patienceMs)
    const now = Date.now()
    const until = Date.parse(instantAt(addDays(dayOf(now, timeZone), 1), 0, timeZone))
    if (isHere())
      await keepCode({ userId, visitId, until }, { code, seenAt: new Date(now).toISOString() }).catch(() => undefined)
    // signed out while it was being sealed: the clearing up may have come before it
    if (!isHere()) await forgetCodesOf((owner) => owner === userId).catch(() => undefined)
    return { code }
  } catch (error) {
    if (failureOf(error) === 'later' && kept) {
      await note()
      return kept
    }
    if (failureOf(error) === 'rejected') await dropCodesOf(userId, (id) => id === visitId).catch(() => undefined)
    throw error
  }
}

/** A day came from the server: codes of stops that are not on it, or have none now, go, as does what is of another day. */
export const tidyCodes = async (userId: string, visitIds: readonly string[]): Promise<void> => {
  await dropOldCodes(Date.now()).catch(() => undefined)
  await dropCodesOf(userId, (id) => !visitIds.includes(id)).catch(() => undefined)
}
