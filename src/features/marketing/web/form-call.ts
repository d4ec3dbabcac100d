import { timeZoneLabel } from '../../../shared/timeZone.ts'
import type { OwnCall } from '../../prospects/calls/contract.ts'
import { sprintCalls } from '../../prospects/calls/rules.ts'
import { ask, refusalOf } from './form-ask.ts'
import { checkedContact, dropToken, fillContact, readToken, saveToken, sendLead, takeFragment } from './form-lead.ts'
import { busyWhile, el, explain, leadTo, one, say, show } from './form-parts.ts'
import { isNight, lazily, timeTeller } from './slotTimes.ts'

const zoneOf = lazily(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
const format = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat('en-US', options))
const timeOf = timeTeller()
const dayName = format({ weekday: 'long', month: 'long', day: 'numeric' })
const shortDay = format({ weekday: 'short', month: 'short', day: 'numeric' })
const dayKey = format({ year: 'numeric', month: '2-digit', day: '2-digit' })

const whenOf = (instant: string, others: readonly string[] = []): string =>
  `${dayName().format(new Date(instant))}, ${timeOf(instant, others)}`

/** Free times of a length by the visitor's own days. */
const loadSlots = async (minutes: number): Promise<Map<string, string[]>> => {
  const { slots } = await ask<{ slots: string[] }>('GET', `/api/leads/calls/slots?minutes=${minutes}`)
  const days = new Map<string, string[]>()
  for (const slot of slots) {
    const key = dayKey().format(new Date(slot))
    days.set(key, [...(days.get(key) ?? []), slot])
  }
  return days
}

const file = (call: OwnCall): HTMLAnchorElement =>
  el(
    'a',
    {
      class: 'btn big',
      download: 'call.ics',
      href: URL.createObjectURL(new Blob([call.ics], { type: 'text/calendar' })),
    },
    'Add to my calendar',
  )

/** Choose a time, book it, move it, cancel it: one page. */
export const bindBookCall = async (): Promise<void> => {
  const found = one<HTMLFormElement>('form[data-call]')
  const place = one('[data-call-done]')
  if (!found || !place) return
  const form = found
  form.noValidate = true
  const list = one('[data-days]', form)
  const times = one('[data-times]', form)
  const submit = one<HTMLButtonElement>('button[type=submit]', form)
  const contact = one('[data-contact-fields]', form)
  const wait = one('[data-call-wait]')
  let token = readToken()
  let moving: OwnCall | null = null
  let days = new Map<string, string[]>()
  let day = ''
  let slot = ''

  // Which call of the Setup Sprint the link was for: those last as long as they are promised.
  let kind = sprintCalls[Number(new URLSearchParams(location.search).get('sprint')) - 1] ?? null

  const minutes = (): number => (one<HTMLInputElement>('[name=minutes]:checked', form)?.value === '30' ? 30 : 20)

  const choose = (startsAt: string): void => {
    slot = startsAt
    for (const button of times?.querySelectorAll('button') ?? [])
      button.setAttribute('aria-pressed', String(button.dataset.at === slot))
    const chosen = one('[data-chosen]', form)
    if (chosen) chosen.textContent = slot ? `${whenOf(slot, days.get(day))} your time, ${minutes()} minutes` : ''
    show(one('[data-confirm]', form), slot !== '')
  }

  const showTimes = (key: string): void => {
    day = key
    for (const button of list?.querySelectorAll('button') ?? [])
      button.setAttribute('aria-pressed', String(button.dataset.day === day))
    const all = days.get(day) ?? []
    const button = (at: string) =>
      el('button', { type: 'button', class: 'slot', 'data-at': at, 'aria-pressed': 'false' }, timeOf(at, all))
    const night = all.filter((at) => isNight(at))
    const [first, last] = [night[0], night.at(-1)]
    times?.replaceChildren(
      ...all.filter((at) => !night.includes(at)).map(button),
      first && last
        ? el(
            'details',
            { open: night.length === all.length },
            el(
              'summary',
              {},
              `Early or late: ${timeOf(first, all)}${first === last ? '' : ` to ${timeOf(last, all)}`} your time`,
            ),
            el('div', { class: 'slots-times' }, ...night.map(button)),
          )
        : '',
    )
    choose('')
  }

  const draw = async (keepDay = ''): Promise<void> => {
    try {
      days = await loadSlots(minutes())
    } catch (error) {
      say(form, (error as Error).message)
      show(one('[data-retry]', form), true)
      return
    }
    show(one('[data-retry]', form), false)
    say(
      form,
      days.size === 0 ? 'There is no free time in the next weeks. Write or call us and we find one.' : '',
      'plain',
    )
    list?.replaceChildren(
      ...[...days].map(([key, slots]) =>
        el(
          'button',
          { type: 'button', class: 'day', 'data-day': key, 'aria-pressed': 'false' },
          // Where a day is too narrow for one line it breaks after the weekday.
          shortDay()
            .format(new Date(slots[0] ?? ''))
            .replace(', ', ',\n'),
        ),
      ),
    )
    // Whoever chose while the times came in anew keeps the choice, when it is still free.
    const chosen = slot
    const dayOfChosen = [...days].find(([, slots]) => slots.includes(chosen))?.[0]
    showTimes(dayOfChosen ?? (days.has(keepDay) ? keepDay : ([...days.keys()][0] ?? '')))
    if (dayOfChosen) choose(chosen)
  }

  const showCall = (call: OwnCall, update: string): void => {
    const isOver = call.status !== 'booked' || Date.parse(call.startsAt) <= Date.now()
    const canceled = call.status === 'canceled'
    const title = el('h2', { tabindex: '-1' }, canceled ? 'Your call is canceled.' : update)
    const again = el('button', { type: 'button', class: 'btn primary big' }, 'Choose another time')
    again.addEventListener('click', () => void open(null))
    const move = el('button', { type: 'button', class: 'btn big' }, 'Move it')
    move.addEventListener('click', () => void open(call))
    const cancel = el('button', { type: 'button', class: 'btn big' }, 'Cancel the call')
    const line = el('p', { class: 'fx-say', 'data-say': '', role: 'alert', hidden: true })
    cancel.addEventListener('click', () => {
      // Asked once more, in the same place: nothing is lost by a slip.
      if (cancel.dataset.sure !== 'yes') {
        cancel.dataset.sure = 'yes'
        cancel.textContent = 'Yes, cancel it'
        return
      }
      void busyWhile(cancel, async () => {
        try {
          showCall(await ask<OwnCall>('POST', `/api/leads/calls/${call.token}/cancel`), '')
        } catch (error) {
          say(place, (error as Error).message)
        }
      })
    })
    place.replaceChildren(
      title,
      el(
        'p',
        { class: 'part-lead' },
        `${whenOf(call.startsAt)} your time (${timeZoneLabel(zoneOf())}), ${call.minutes} minutes.`,
      ),
      line,
      canceled || isOver ? el('p', { class: 'next' }, again) : el('div', { class: 'next' }, file(call), move, cancel),
      canceled
        ? ''
        : el('p', { class: 'fx-hint' }, 'We sent the calendar file and a link to move or cancel to your e-mail.'),
    )
    show(form, false)
    show(place, true)
    leadTo(title)
  }

  /** The choice of a time: for a new call, or for one that is being moved. */
  const open = async (call: OwnCall | null): Promise<void> => {
    moving = call
    choose('')
    show(place, false)
    show(wait, true)
    show(one('[data-lengths]', form), !call && !kind)
    show(contact, !call && !token)
    show(one('[data-note]', form), !call)
    if (submit) submit.textContent = call ? 'Move the call' : 'Book this call'
    if (call)
      for (const radio of form.querySelectorAll<HTMLInputElement>('[name=minutes]'))
        radio.checked = radio.value === String(call.minutes)
    // The form comes whole, so that nothing below it moves twice.
    await draw()
    show(wait, false)
    show(form, true)
  }

  const send = async (): Promise<void> => {
    if (!slot) return
    if (moving)
      return showCall(
        await ask<OwnCall>('POST', `/api/leads/calls/${moving.token}/reschedule`, {
          startsAt: slot,
          timeZone: zoneOf(),
        }),
        'Your call has a new time.',
      )
    if (!token) {
      const given = checkedContact(form)
      if (!given) return
      token = await sendLead(form, given, 'quote_builder_direct')
    }
    const note = one<HTMLTextAreaElement>('[name=note]', form)?.value.trim() ?? ''
    const body = { token, minutes: minutes(), startsAt: slot, timeZone: zoneOf(), note, ...(kind ? { kind } : {}) }
    showCall(
      await ask<OwnCall>('POST', '/api/leads/calls', body),
      kind ? `Call ${sprintCalls.indexOf(kind) + 1} of your Setup Sprint is booked.` : 'Your call is booked.',
    )
  }

  const showRefusal = async (error: unknown): Promise<void> => {
    const refusal = refusalOf(error)
    if (refusal.status === 404 && token) {
      token = null
      kind = null
      show(one('[data-lengths]', form), true)
      dropToken()
      show(contact, true)
    }
    if (refusal.status === 409) await draw(day)
    explain(form, refusal)
  }

  form.addEventListener('click', (event) => {
    const button = (event.target as HTMLElement).closest<HTMLButtonElement>('button[type=button]')
    if (button?.dataset.day) showTimes(button.dataset.day)
    if (button?.dataset.at) choose(button.dataset.at)
    if (button?.hasAttribute('data-retry')) void draw()
  })
  form.addEventListener('change', (event) => {
    if ((event.target as HTMLInputElement).name === 'minutes') void draw(day)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void busyWhile(submit, () => send().catch(showRefusal))
  })

  fillContact(form)
  const shown = one('[data-zone]', form)
  if (shown) shown.textContent = `Your time (${timeZoneLabel(zoneOf())})`
  const link = takeFragment('call')
  const status = takeFragment('status')
  if (status) {
    token = status
    saveToken(status)
  }
  if (!link) return open(null)
  try {
    const call = await ask<OwnCall>('GET', `/api/leads/calls/${link}`)
    show(wait, false)
    showCall(call, 'Your call')
  } catch (error) {
    await open(null)
    say(
      form,
      refusalOf(error).status === 404
        ? 'This link does not work. It may be cut off; open it again from the mail, or choose a time here.'
        : (error as Error).message,
    )
  }
}
