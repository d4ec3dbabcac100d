import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Sealed, seal, unseal } from '../../../../platform/sealed.ts'
import { AppError } from '../../../../shared/errors.ts'

type Identity = { issuer: string; subject: string; email: string }

/** What a person may still do after the identity provider vouched for them; waits in a cookie for the one-time code. */
export type Handoff = { next: string | null } & (
  | { kind: 'signIn'; businessId: string; userId: string }
  | ({ kind: 'prove'; businessId: string; userId: string } & Identity)
  | ({ kind: 'register'; name: string } & Identity)
)

const purpose = 'google-handoff'
/** Long enough to type a password or the name of a business; a bare sign-in is traded at once. */
export const handoffSeconds = { signIn: 120, prove: 900, register: 1800 } as const

const hash = (code: string): Buffer => createHash('sha256').update(code).digest()

/** Splits it in two: a code for the address and a sealed cookie. Neither is worth anything without the other. */
export const makeHandoff = (handoff: Handoff): { code: string; cookie: string; seconds: number } => {
  const code = randomBytes(32).toString('base64url')
  const seconds = handoffSeconds[handoff.kind]
  return { code, cookie: seal(purpose, { handoff, hash: hash(code).toString('base64url') }, seconds), seconds }
}

export const handoffOver = (): AppError =>
  new AppError(
    'state_conflict',
    'This sign-in took too long or was used already. Nothing was changed; please sign in again.',
  )

/**
 * Puts code and cookie together again; uses nothing up.
 * @throws AppError state_conflict when they do not belong together or their time is over
 */
export const openHandoff = (code: string, cookie: string | undefined): Sealed<Handoff> => {
  const sealed = unseal<{ handoff: Handoff; hash: string }>(purpose, cookie)
  if (!sealed || !timingSafeEqual(hash(code), Buffer.from(sealed.data.hash, 'base64url'))) throw handoffOver()
  return { ...sealed, data: sealed.data.handoff }
}
