import { paths } from '../../../shared/paths.ts'
import { setupSprint } from '../../billing/rules.ts'
import type { Application } from '../../prospects/application/contract.ts'
import type { OwnCall } from '../../prospects/calls/contract.ts'
import { type SprintCall, sprintCalls, standingCall } from '../../prospects/calls/rules.ts'
import { ask, refusalOf } from './form-ask.ts'
import { busyWhile, el, leadTo, one, show } from './form-parts.ts'

const when = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' }).format(new Date(instant))
const day = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' }).format(new Date(instant))

const message: Record<string, [title: string, text: string]> = {
  applied: ['We have your application.', 'We read every one and answer within two working days, by e-mail.'],
  queued: ['You are on the list.', 'This month’s places are taken. We write to you as soon as a place is yours.'],
  declined: ['Thank you for applying.', 'We could not offer you a place in the Setup Sprint.'],
  admitted: ['You are in.', 'Book both calls: the 14 days begin with call 1.'],
  running: ['Your Setup Sprint is running.', 'Everything ticked by its day means that you pay nothing for the setup.'],
  finished: ['Your Setup Sprint is done.', 'Every step in time. The setup is free.'],
  missed: ['A step was missed.', 'You hear from us about the onboarding fee.'],
}

const stateLabel = { done: 'Done', open: 'To do', missed: 'Missed' } as const

const checklist = (sprint: NonNullable<Application['sprint']>): HTMLElement =>
  el(
    'ol',
    { class: 'sprint-list' },
    ...sprint.steps.map((step) =>
      el(
        'li',
        { 'data-state': step.state },
        el('b', {}, step.label),
        el('span', {}, step.state === 'open' && step.dueAt ? `by ${day(step.dueAt)}` : stateLabel[step.state]),
      ),
    ),
  )

const money = (cents: number): string => `$${(cents / 100).toFixed(2).replace(/\.00$/, '')}`

const feeMessage: Record<string, string> = {
  confirmed: 'A step of your Setup Sprint was missed, so the onboarding fee is due.',
  paid: 'Your onboarding fee is paid. Thank you!',
  waived: 'The onboarding fee was waived; there is nothing to pay.',
}

/** The onboarding fee of whoever missed a step, with its button while it is to be paid. */
const fee = ({ feeStatus, feeCents }: NonNullable<Application['sprint']>, token: string | null): HTMLElement | '' => {
  const text = feeMessage[feeStatus]
  if (!text) return ''
  if (feeStatus !== 'confirmed' || !token) return el('p', { class: 'call-line' }, text)
  const pay = el('button', { type: 'button', class: 'btn primary big' }, `Pay ${money(feeCents)}`)
  const wrong = el('p', { class: 'fx-error', role: 'alert' })
  pay.addEventListener('click', () => {
    void busyWhile(pay, async () => {
      wrong.textContent = ''
      try {
        const { url } = await ask<{ url: string }>('POST', `/api/leads/application/${token}/fee`)
        location.assign(url)
      } catch (error) {
        wrong.textContent = refusalOf(error).message
      }
    })
  })
  return el('div', { class: 'call-line' }, el('p', {}, text), pay, wrong)
}

/** What the browser that applied hears of a decision; the Sprint itself opens from our mail, which only its reader has. */
const decided: Record<string, [title: string, text: string]> = {
  applied: message.applied as [string, string],
  queued: message.queued as [string, string],
  declined: message.declined as [string, string],
}
const inMail: [title: string, text: string] = [
  'You are in.',
  'Your two calls and every step stand on your own page. The link to it is in the mail that we sent you.',
]

const moveLink = (call: OwnCall): HTMLElement =>
  el('a', { href: `${paths.bookCall}#call=${call.token}` }, 'Move or cancel')

/** A call with its time and the way to move it. */
const callLine = (call: OwnCall): HTMLElement =>
  el(
    'p',
    { class: 'call-line' },
    el('b', {}, call.title),
    ` ${when(call.startsAt)}, ${call.minutes} minutes. `,
    moveLink(call),
  )

/** The calls that the Setup Sprint promises: each with its time, or with the button that books it. */
const sprintCallLines = ({ calls, sprint }: Application, token: string): HTMLElement => {
  const now = new Date().toISOString()
  const first = standingCall(calls, 'sprint_1', now)
  return el(
    'ul',
    { class: 'sprint-calls', 'aria-label': 'Your two calls' },
    ...sprintCalls.map((kind, index) => {
      const call = standingCall(calls, kind, now)
      const title = el('b', {}, `Call ${index + 1}`)
      if (call?.status === 'held') return el('li', {}, title, el('span', {}, `took place on ${when(call.startsAt)}`))
      if (call)
        return el(
          'li',
          {},
          title,
          el('span', {}, `${when(call.startsAt)}, ${call.minutes} minutes`),
          call.startsAt > now && moveLink(call),
        )
      if (kind === 'sprint_2' && !first)
        return el('li', {}, title, el('span', {}, 'To be booked once call 1 has its time.'))
      const isNext = kind === 'sprint_1' || sprint?.status === 'running'
      return el(
        'li',
        {},
        title,
        el('span', {}, `${setupSprint.callMinutes} minutes, not booked yet`),
        el(
          'a',
          {
            class: isNext ? 'btn primary big' : 'btn big',
            href: `${paths.bookCall}?sprint=${index + 1}#status=${token}`,
          },
          `Book call ${index + 1}`,
        ),
      )
    }),
  )
}

const isSprintCall = (kind: string): kind is SprintCall => (sprintCalls as readonly string[]).includes(kind)

/** The page is not about six questions any more once they were answered. */
const headline = (title: string | null): void => {
  const head = one('.head')
  const [h1, lead] = [one('h1', head ?? document), one('.lead', head ?? document)]
  if (!title || !head || !h1 || !lead) return
  h1.textContent = 'Your Setup Sprint'
  lead.textContent = `${setupSprint.days} days, two calls of ${setupSprint.callMinutes} minutes, and your business is on Swath.`
  show(one('[data-places]', head), false)
}

/** What stands after an application was sent: where it is, the call, and for whoever came from our mail the living checklist. */
export const showStatus = (application: Application, token: string | null): void => {
  const place = one('[data-status]')
  if (!place) return
  const { sprint, decision } = application
  const now = new Date().toISOString()
  const state = sprint?.status ?? 'applied'
  const [title, text] = sprint
    ? (message[state] ?? ['We have your application.', ''])
    : (decided[decision ?? 'applied'] ?? inMail)
  const isRunning = sprint !== null && token !== null && ['admitted', 'running'].includes(state)
  const isIn = !sprint && decision !== null && !(decision in decided)
  const others = application.calls
    .filter(({ kind, status, endsAt }) => status === 'booked' && endsAt > now && !(isRunning && isSprintCall(kind)))
    .toReversed()
  const wantsCall = ['applied', 'queued'].includes(state) && !isIn && others.length === 0
  const heading = el('h2', { tabindex: '-1' }, title)
  headline(sprint || isIn ? title : null)
  place.replaceChildren(
    heading,
    // What became of the fee says more than that it is talked about.
    sprint && feeMessage[sprint.feeStatus] ? fee(sprint, token) : el('p', { class: 'part-lead' }, text),
    isRunning ? sprintCallLines(application, token) : '',
    ...others.map(callLine),
    others.length > 0 || isRunning
      ? ''
      : el(
          'p',
          { class: 'next' },
          wantsCall && el('a', { class: 'btn primary big', href: paths.bookCall }, 'Book a call'),
          el('a', { class: 'btn big', href: paths.pricing }, 'See pricing'),
        ),
    sprint && ['admitted', 'running', 'finished', 'missed'].includes(state) ? checklist(sprint) : '',
  )
  show(place, true)
  leadTo(heading)
}
