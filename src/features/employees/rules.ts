import type { Refusal } from '../../shared/can.ts'
import { beyondReach, type Rights } from '../../shared/roles.ts'
import { type SignInFacts, signInActions, signInRefusals } from '../accounts/team/rules.ts'

/** Colors for crews that keep white text readable (6:1 or better), in the order in which crews are made. */
export const crewColors = [
  '#14432f',
  '#9a3412',
  '#2455b8',
  '#7a3e9d',
  '#9b2c4e',
  '#0f6a78',
  '#5c5300',
  '#4b4b4b',
] as const

export type CrewMember = { wageCentsPerHour: number | null }

/**
 * What a crew costs per hour on the clock: each member's wage (the business's usual one when unknown) with the burden on top.
 * @param members people on the crew that day; an empty crew counts as one person, so that a plan is never free
 * @returns cents per hour of the whole crew
 */
export const crewCostCents = (
  members: readonly CrewMember[],
  business: { defaultWageCents: number; burdenPercent: number },
): number => {
  const people = members.length ? members : [{ wageCentsPerHour: null }]
  const wages = people.reduce((sum, person) => sum + (person.wageCentsPerHour ?? business.defaultWageCents), 0)
  return Math.round((wages * (100 + business.burdenPercent)) / 100)
}

/** People on the clock: a crew with nobody at work is planned as one. */
export const crewSize = (people: number): number => Math.max(1, people)

/** A person with who asks about them. */
export type PersonFacts = SignInFacts & Rights & { id: string; actor: Rights & { userId: string } }

export const personActions = ['update', 'changeEmail', 'deactivate', 'reactivate', ...signInActions] as const
export type PersonAction = (typeof personActions)[number]

const withinReach =
  (refusal: Refusal<PersonFacts>): Refusal<PersonFacts> =>
  (person) =>
    beyondReach(person.actor, person) ?? refusal(person)

/** Why a person's state refuses an action, or who asks may not do it to them. */
export const personRefusals = {
  update: withinReach(({ name, status }) =>
    status === 'disabled' ? `${name} was deactivated. Let them in again to change something.` : null,
  ),
  changeEmail: withinReach(({ status, signIn }) =>
    status === 'invited' && signIn.method === null ? null : 'Who has a sign-in changes the e-mail in the own profile',
  ),
  deactivate: withinReach(({ id, name, role, status, actor }) =>
    // A business has one owner, who hands over before leaving.
    role === 'Owner'
      ? 'The last owner cannot be deactivated. Hand the business over first.'
      : id === actor.userId
        ? 'You cannot deactivate yourself.'
        : status === 'disabled'
          ? `${name} was deactivated already. Nothing was changed.`
          : null,
  ),
  reactivate: withinReach(({ status }) => (status === 'disabled' ? null : 'This person can sign in already.')),
  inviteByEmail: withinReach(signInRefusals.inviteByEmail),
  inviteByText: withinReach(signInRefusals.inviteByText),
  cancelInvite: withinReach(signInRefusals.cancelInvite),
  resetPin: withinReach(signInRefusals.resetPin),
} satisfies Record<PersonAction, Refusal<PersonFacts>>

export const crewActions = ['update', 'archive'] as const
export type CrewAction = (typeof crewActions)[number]
/** `underWay`: it is on its way, works or has paused at a visit. */
export type CrewFacts = { name: string; archivedAt: string | null; underWay: boolean }

/** Why a crew's state refuses an action. */
export const crewRefusals: Record<CrewAction, Refusal<CrewFacts>> = {
  update: ({ name, archivedAt }) => (archivedAt ? `${name} was put away. Nothing was changed.` : null),
  archive: ({ name, archivedAt, underWay }) =>
    archivedAt
      ? `${name} was put away already. Nothing was changed.`
      : underWay
        ? 'This crew is at a visit, or on its way to one, right now. Put it away when that is finished.'
        : null,
}
