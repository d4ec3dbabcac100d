import { paths } from '../../../shared/paths.ts'
import type { Application } from '../../prospects/application/contract.ts'
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
  admitted: ['You are in.', 'Book call 1: the 14 days begin with it.'],
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

/** What stands after an application was sent: where it is, the call, and for whoever came from our mail the living checklist. */
export const showStatus = (application: Application, token: string | null): void => {
  const place = one('[data-status]')
  if (!place) return
  const { sprint } = application
  const call = application.calls.find(({ status, endsAt }) => status === 'booked' && Date.parse(endsAt) > Date.now())
  const state = sprint?.status ?? 'applied'
  const [title, text] = message[state] ?? ['We have your application.', '']
  const wantsCall = ['applied', 'queued', 'admitted', 'running'].includes(state)
  const heading = el('h2', { tabindex: '-1' }, title)
  place.replaceChildren(
    heading,
    // What became of the fee says more than that it is talked about.
    sprint && feeMessage[sprint.feeStatus] ? fee(sprint, token) : el('p', { class: 'part-lead' }, text),
    call
      ? el(
          'p',
          { class: 'call-line' },
          el('b', {}, call.title),
          ` ${when(call.startsAt)}, ${call.minutes} minutes. `,
          el('a', { href: `${paths.bookCall}#call=${call.token}` }, 'Move or cancel'),
        )
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
