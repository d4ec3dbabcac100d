import type { Language } from '../texts.ts'

const en = {
  title: 'Truck check',
  lead: (pieces: string) => `Before you leave: ${pieces}.`,
  start: 'Check the truck',
  goOn: (left: number) => (left === 1 ? 'Go on: 1 point left' : `Go on: ${left} points left`),
  done: (by: string, time: string) => (by ? `Truck checked by ${by}, ${time}` : `Truck checked, ${time}`),
  doneHere: 'Truck checked',
  withoutIt: 'Somebody else checks it: clock in',
  out: (name: string, why: string) => `Do not use ${name}: ${why}`,
  outHere: (why: string) => `Out of service: ${why}`,
  forCrew: 'On the truck',
  ok: 'OK',
  problem: 'Problem',
  what: 'What is wrong?',
  whatNeeded: 'Say what is wrong, so that the shop knows.',
  photo: 'Take a photo',
  photos: (n: number) => (n === 1 ? '1 photo' : `${n} photos`),
  stops: 'We cannot use it like this',
  stopsHint: 'The office is told at once, and it is out of service.',
  meter: { hours: 'Hour meter', miles: 'Odometer' },
  last: (reading: string) => `Last: ${reading}`,
  lower: (reading: string) =>
    `Less than last time (${reading}). Look again. If it is right, send it: the office looks at it.`,
  far: (reading: string) =>
    `Much more than last time (${reading}). Is a digit too many? If it is right, send it: the office looks at it.`,
  notANumber: 'Type a number like 1234.5',
  restOk: 'All the rest is OK',
  send: 'Send the check',
  left: (n: number) => (n === 1 ? '1 point is not answered.' : `${n} points are not answered.`),
  saved: 'Truck check kept',
}

const es: typeof en = {
  title: 'Revisión del camión',
  lead: (pieces) => `Antes de salir: ${pieces}.`,
  start: 'Revisar el camión',
  goOn: (left) => (left === 1 ? 'Seguir: falta 1 punto' : `Seguir: faltan ${left} puntos`),
  done: (by, time) => (by ? `Camión revisado por ${by}, ${time}` : `Camión revisado, ${time}`),
  doneHere: 'Camión revisado',
  withoutIt: 'Otra persona lo revisa: marcar entrada',
  out: (name, why) => `No usar ${name}: ${why}`,
  outHere: (why) => `Fuera de servicio: ${why}`,
  forCrew: 'En el camión',
  ok: 'Bien',
  problem: 'Falla',
  what: '¿Qué está mal?',
  whatNeeded: 'Di qué está mal, para que el taller lo sepa.',
  photo: 'Tomar una foto',
  photos: (n) => (n === 1 ? '1 foto' : `${n} fotos`),
  stops: 'Así no se puede usar',
  stopsHint: 'La oficina lo sabe enseguida y queda fuera de servicio.',
  meter: { hours: 'Horómetro', miles: 'Odómetro' },
  last: (reading) => `La última vez: ${reading}`,
  lower: (reading) =>
    `Menos que la última vez (${reading}). Mira otra vez. Si es correcto, envíalo: la oficina lo revisa.`,
  far: (reading) =>
    `Mucho más que la última vez (${reading}). ¿Sobra un dígito? Si está bien, mándalo: la oficina lo revisa.`,
  notANumber: 'Escribe un número como 1234.5',
  restOk: 'Todo lo demás está bien',
  send: 'Enviar la revisión',
  left: (n) => (n === 1 ? 'Falta responder 1 punto.' : `Faltan ${n} puntos.`),
  saved: 'Revisión guardada',
}

export type CheckTexts = typeof en
export const checkTexts = (language: Language): CheckTexts => (language === 'es' ? es : en)
