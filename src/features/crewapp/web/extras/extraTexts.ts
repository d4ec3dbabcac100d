import type { Language } from '../texts.ts'

const en = {
  overgrown: 'Overgrown lawn…',
  title: (street: string) => `Overgrown: ${street}`,
  howMuch: 'How tall is it?',
  pick: 'Say how tall it is.',
  photo: 'Take a photo',
  another: 'One more photo',
  photoOf: (n: number) => `Photo ${n}`,
  photoNeeded: 'Take a photo before you mow: without one nobody can be charged.',
  note: 'Note for the office',
  save: 'Mark as overgrown',
  asks: 'The office decides whether it costs more.',
  atOnce: 'It goes on the visit. The office can change it.',
  saved: 'Marked as overgrown',
  heading: 'Extras here',
  states: {
    asked: "waits for the customer's OK",
    refused: 'the customer said no',
    waiting: 'the office decides',
    added: 'on the visit',
    booked: 'the office makes a job of it',
    declined: 'the office said no',
    withdrawn: 'taken back',
  },
  by: (name: string) => `by ${name}`,
  takeBack: 'Take back',
  takeBackWhat: (what: string) => `Take back: ${what}`,
  takenBack: 'Taken back',
}

const es: typeof en = {
  overgrown: 'Césped crecido…',
  title: (street) => `Césped crecido: ${street}`,
  howMuch: '¿Qué tan alto está?',
  pick: 'Di qué tan alto está.',
  photo: 'Tomar una foto',
  another: 'Otra foto',
  photoOf: (n) => `Foto ${n}`,
  photoNeeded: 'Toma una foto antes de cortar: sin foto no se puede cobrar.',
  note: 'Nota para la oficina',
  save: 'Marcar como crecido',
  asks: 'La oficina decide si cuesta más.',
  atOnce: 'Queda en la visita. La oficina puede cambiarlo.',
  saved: 'Marcado como crecido',
  heading: 'Extras aquí',
  states: {
    asked: 'espera el sí del cliente',
    refused: 'el cliente dijo que no',
    waiting: 'la oficina decide',
    added: 'en la visita',
    booked: 'la oficina hace un trabajo aparte',
    declined: 'la oficina dijo que no',
    withdrawn: 'retirado',
  },
  by: (name) => `por ${name}`,
  takeBack: 'Retirar',
  takeBackWhat: (what) => `Retirar: ${what}`,
  takenBack: 'Retirado',
}

export type ExtraTexts = typeof en
export const extraTexts = (language: Language): ExtraTexts => (language === 'es' ? es : en)
