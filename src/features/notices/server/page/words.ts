import type { Language } from '../../../businesses/notices/rules.ts'
import type { SkipReason } from '../../../visits/rules.ts'

/** Every word of a visit's page, in both languages. */
const en = {
  title: (business: string) => `Your visit from ${business}`,
  also: 'Also that day',
  when: 'Day',
  window: 'We expect to arrive',
  windowNote: 'From the plan and how exact it has been. It moves with the day.',
  noWindow: 'The time is set the day before.',
  crew: 'Crew',
  services: 'Work',
  before: (n: number) => (n === 0 ? 'You are next' : n === 1 ? '1 stop before you' : `${n} stops before you`),
  today: 'Today',
  on: 'today',
  planned: (day: string) => `Planned for ${day}`,
  moved: (day: string, from: string) => `Now on ${day}, not ${from}`,
  noDay: 'The new day is not set yet. We will tell you.',
  onWay: (time: string) => `On the way since ${time}`,
  here: (time: string) => `Here since ${time}`,
  paused: 'Started; we will be back to finish',
  done: (time: string) => `Done at ${time}`,
  skipped: 'Not done this time',
  again: (day: string) => `We come again on ${day}.`,
  canceled: 'Canceled',
  missed: 'We did not make it that day',
  call: 'Questions? Call or write to us.',
  photos: 'Photos',
  checked: 'What was done',
  photoOf: { before: 'Before the work', after: 'After the work', other: 'From the visit' },
  asOf: (time: string) => `As of ${time}`,
  goneTitle: 'This link shows no visit',
  goneText:
    'It may be incomplete, or the visit was some days ago. Look for the newest message from your lawn-care company, or call them.',
  skips: {
    locked_gate: 'The gate was locked.',
    dog: 'A dog was in the yard.',
    customer_asked: 'You asked us to leave it out.',
    too_wet: 'The ground was too wet.',
    not_needed: 'It was not needed this time.',
    no_access: 'We could not get to the lawn.',
    other: 'We could not do it this time.',
  } satisfies Record<SkipReason, string>,
}

export type PageWords = typeof en

const es: PageWords = {
  title: (business) => `Su visita de ${business}`,
  also: 'También ese día',
  when: 'Día',
  window: 'Esperamos llegar',
  windowNote: 'Según el plan y lo exacto que ha sido. Cambia con el día.',
  noWindow: 'La hora se fija el día antes.',
  crew: 'Equipo',
  services: 'Trabajo',
  before: (n) =>
    n === 0 ? 'Usted es el siguiente' : n === 1 ? '1 parada antes de usted' : `${n} paradas antes de usted`,
  today: 'Hoy',
  on: 'hoy',
  planned: (day) => `Planeada para ${day}`,
  moved: (day, from) => `Ahora ${day}, no ${from}`,
  noDay: 'El nuevo día aún no está fijado. Le avisaremos.',
  onWay: (time) => `En camino desde las ${time}`,
  here: (time) => `Aquí desde las ${time}`,
  paused: 'Empezada; volveremos para terminar',
  done: (time) => `Terminada a las ${time}`,
  skipped: 'No se hizo esta vez',
  again: (day) => `Volvemos el ${day}.`,
  canceled: 'Cancelada',
  missed: 'Ese día no pudimos llegar',
  call: '¿Preguntas? Llámenos o escríbanos.',
  photos: 'Fotos',
  checked: 'Lo que se hizo',
  photoOf: { before: 'Antes del trabajo', after: 'Después del trabajo', other: 'De la visita' },
  asOf: (time) => `Actualizado a las ${time}`,
  goneTitle: 'Este enlace no muestra ninguna visita',
  goneText:
    'Puede estar incompleto, o la visita fue hace unos días. Busque el mensaje más reciente de su empresa de jardinería, o llámela.',
  skips: {
    locked_gate: 'El portón estaba cerrado con llave.',
    dog: 'Había un perro en el jardín.',
    customer_asked: 'Usted nos pidió omitirla.',
    too_wet: 'El suelo estaba demasiado mojado.',
    not_needed: 'No hacía falta esta vez.',
    no_access: 'No pudimos llegar al césped.',
    other: 'No pudimos hacerla esta vez.',
  },
}

export const pageWords: Readonly<Record<Language, PageWords>> = { en, es }
