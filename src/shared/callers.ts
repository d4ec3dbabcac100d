import type { Permission } from './roles.ts'

// Apart from what describes an endpoint, which brings the words of its schemas along: a phone asks only this.

/**
 * Who may call an endpoint. There is no default: each endpoint names one.
 * - `public`: anybody, also without a session (tokens in the path decide what they see)
 * - `member`: every signed-in person of a business
 * - `office`: Owner and Admin of a business
 * - `owner`: only the Owner of a business
 * - `productOwner`: who sells Swath; sees no tenant's data
 * - `webhook`: a provider, proven by its signature over the raw body
 * - `support`: support inside a business that let it in
 * - `tour`: a visitor who looks at the demo business
 * - `refresh`: carries only the refresh cookie; asks for our own Origin
 */
export type Access =
  | 'public'
  | 'member'
  | 'office'
  | 'owner'
  | 'productOwner'
  | 'support'
  | 'tour'
  | 'webhook'
  | 'refresh'

/** Who an endpoint for several kinds of caller may name; each is judged by its own rules. */
export type Caller = Extract<Access, 'member' | 'office' | 'owner' | 'productOwner'>

/** Every kind of caller that an endpoint names. */
export const callersOf = ({ access }: { access: Access | readonly Caller[] }): readonly Access[] =>
  typeof access === 'string' ? [access] : access

/** The permissions that an endpoint asks for: all of them together are needed. */
export const permissionsOf = ({
  permission = [],
}: {
  permission?: Permission | readonly Permission[] | undefined
}): readonly Permission[] => (typeof permission === 'string' ? [permission] : permission)
