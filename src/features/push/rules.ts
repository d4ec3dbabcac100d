import { brand } from '../../shared/brand.ts'
import { type Day, formatMinute } from '../../shared/dates.ts'
import type { PushAbout, PushTopic } from './contract.ts'

export type PushLanguage = 'en' | 'es'

/** What is older is not worth a ring any more. */
export const freshHours = 24
/** Handed over by a process that did not say what came of it: after this long another one does it again, under the same tag. */
export const claimSeconds = 60
/** The most devices of one person; the one that was seen longest ago goes. */
export const mostDevices = 12
/** What was told is kept this long, so that the same is not told again. */
export const sendDays = 14
/** A device that did not come back in this time is forgotten. */
export const deviceDays = 90

/** Sums of money and what looks like a code stay in the app: a locked screen is read by whoever picks the phone up. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/[-−]?\$\s?\d[\d,]*(\.\d+)?/g, '…')
    .replaceAll(/\b(gate|code|c[oó]digo|port[oó]n|pin)\b(\s*(code|is|es|:|#|=))*\s*[#*]?\d[\d#*-]*/gi, '$1 …')

const dayText = (day: Day, language: PushLanguage): string => {
  const part = (o: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', { timeZone: 'UTC', ...o }).format(
      new Date(`${day}T00:00:00Z`),
    )
  return part({ weekday: 'short', month: 'short', day: 'numeric' })
}

/** Which kind of news it is: what a person who does not want it is not rung for. */
export const topicOf = (about: PushAbout): PushTopic => {
  switch (about.code) {
    case 'crew':
    case 'crewBack':
    case 'moved':
    case 'added':
    case 'route':
      return 'day'
    case 'chat':
      return 'chat'
    case 'clockOut':
    case 'week':
      return 'time'
    case 'bell':
      return about.topic ?? 'other'
  }
}

type Words = { title: string; body: string }

const english = (about: PushAbout): Words => {
  const day = (one: Day) => dayText(one, 'en')
  switch (about.code) {
    case 'crew':
      return {
        title: about.crew === null ? 'You are on no crew' : `You are on ${about.crew}`,
        body:
          about.to === null
            ? `From ${day(about.from)}`
            : about.to === about.from
              ? `On ${day(about.from)}`
              : `${day(about.from)} to ${day(about.to)}`,
      }
    case 'crewBack':
      return { title: 'You are back on your crew', body: 'The office took the change back.' }
    case 'moved':
      return {
        title:
          about.day === null
            ? `${about.street} is off your list`
            : about.sameDay
              ? `${about.street} is with another crew`
              : `${about.street} moved to ${day(about.day)}`,
        body: 'Leave it out today.',
      }
    case 'added':
      return { title: `New stop: ${about.street}`, body: day(about.day) }
    case 'route':
      return {
        title: about.again ? `Your day changed: ${day(about.day)}` : `Your day is here: ${day(about.day)}`,
        body: `${about.stops} ${about.stops === 1 ? 'stop' : 'stops'}${about.firstMinute === null ? '' : `, first at ${formatMinute(about.firstMinute)}`}`,
      }
    case 'chat':
      return { title: `${about.from} wrote`, body: 'Open the chat to read it.' }
    case 'clockOut':
      return { title: 'Did you forget to clock out?', body: 'The clock was stopped for you. Look at your week.' }
    case 'week':
      return { title: 'News about your week', body: 'Open your week to see it.' }
    case 'bell':
      return { title: withoutSecrets(about.title), body: `Open ${brand.name} to see more.` }
  }
}

const spanish = (about: PushAbout): Words => {
  const day = (one: Day) => dayText(one, 'es')
  switch (about.code) {
    case 'crew':
      return {
        title: about.crew === null ? 'No estás en ninguna cuadrilla' : `Estás en ${about.crew}`,
        body:
          about.to === null
            ? `Desde el ${day(about.from)}`
            : about.to === about.from
              ? `El ${day(about.from)}`
              : `Del ${day(about.from)} al ${day(about.to)}`,
      }
    case 'crewBack':
      return { title: 'Vuelves a tu cuadrilla', body: 'La oficina deshizo el cambio.' }
    case 'moved':
      return {
        title:
          about.day === null
            ? `${about.street} ya no está en tu lista`
            : about.sameDay
              ? `${about.street} es de otra cuadrilla`
              : `${about.street} pasó al ${day(about.day)}`,
        body: 'Hoy no vayas allí.',
      }
    case 'added':
      return { title: `Parada nueva: ${about.street}`, body: day(about.day) }
    case 'route':
      return {
        title: about.again ? `Tu día cambió: ${day(about.day)}` : `Tu día está listo: ${day(about.day)}`,
        body: `${about.stops} ${about.stops === 1 ? 'parada' : 'paradas'}${about.firstMinute === null ? '' : `, la primera a las ${formatMinute(about.firstMinute)}`}`,
      }
    case 'chat':
      return { title: `${about.from} escribió`, body: 'Abre el chat para leerlo.' }
    case 'clockOut':
      return { title: '¿Olvidaste marcar la salida?', body: 'El reloj se detuvo por ti. Mira tu semana.' }
    case 'week':
      return { title: 'Novedades de tu semana', body: 'Abre tu semana para verlas.' }
    case 'bell':
      return { title: withoutSecrets(about.title), body: `Abre ${brand.name} para ver más.` }
  }
}

/** What a device shows of it, in its language. */
export const pushWords = (about: PushAbout, language: PushLanguage): Words =>
  language === 'es' ? spanish(about) : english(about)
