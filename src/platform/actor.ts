import { has, type Permission, type Role, type SessionKind } from '../shared/roles.ts'
import type { BusinessId, TenantScope } from './db/tenant.ts'

/** A signed-in person of one business. Made only by the session gate. */
export type Actor = TenantScope & {
  readonly kind: 'user'
  readonly userId: string
  readonly sessionId: string
  readonly sessionKind: SessionKind
  readonly role: Role
  readonly permissions: readonly Permission[]
  readonly name: string
  /** IANA zone of the business: a day means a day there. */
  readonly timeZone: string
  readonly subscriptionActive: boolean
  /** The business asks for a second step and this person has none yet. */
  readonly mustSetUpTwoFactor: boolean
  /** Nobody of the business: support, let in by its Owner. It only reads, and `userId` is the id of its visit, which is no person's. */
  readonly support?: SupportVisit
  /** Nobody of the business: somebody who takes the tour of the demo. It only reads. */
  readonly tour?: TourVisit
}

/** One look of support at a business, from opening it to leaving it. */
export type SupportVisit = {
  readonly visitId: string
  readonly grantId: string
  readonly businessName: string
  /** ISO instant. */
  readonly until: string
}

/** One tour of the demo business. */
export type TourVisit = {
  readonly businessName: string
  /** ISO instant. */
  readonly until: string
}

/** Background work inside one business. */
export type SystemActor = TenantScope & { readonly kind: 'system' }

/** Whoever a command works for. */
export type Who = Actor | SystemActor

/** Who sells Swath: no business, no tenant's data. */
export type ProductOwner = { readonly kind: 'productOwner'; readonly name: string }

export const systemActor = (businessId: BusinessId): SystemActor => ({ kind: 'system', businessId })

/** The person behind a change, or null for background work. */
export const userIdOf = (who: Who): string | null => (who.kind === 'user' ? who.userId : null)

/** Whether a person may do what a permission names; an Owner may do everything. */
export const hasPermission = (actor: Actor, permission: Permission): boolean => has(actor, permission)
