import type { Language } from '../texts.ts'

const en = {
  open: 'Sell extra work…',
  title: (street: string) => `Extra work: ${street}`,
  what: 'What does the customer want?',
  pick: 'Pick what the customer wants.',
  onStop: 'Already on this stop',
  again: (what: string) => `${what}: already on this stop. Add it once more, as further work?`,
  addAgain: 'Add it once more',
  notAgain: 'Do not add it',
  quantity: (unit: string) => `How many (${unit})`,
  units: { visit: 'times', ksqft: '1,000 sq ft', hour: 'hours', yard: 'yards', each: 'pieces' } as Record<
    string,
    string
  >,
  wrong: 'Type a number from 0.5 to 999.',
  note: 'Note for the office',
  photo: 'Take a photo',
  photoOf: (n: number) => `Photo ${n}`,
  when: 'When',
  days: { today: 'Today, on this stop', later: 'Another day: the office plans it' },
  noPrice: 'The office prices this and tells the customer. Nobody signs now.',
  sign: 'Customer signs here',
  text: 'Send the customer a question',
  textHint: 'It leaves with the next signal. You see the answer here.',
  noWay: 'No mobile number or e-mail is on file: let the customer sign.',
  toOffice: 'Send to the office',
  saved: 'Extra work kept',
  hand: 'Hand the phone to the customer',
  back: 'Back',
}

const es: typeof en = {
  open: 'Vender trabajo extra…',
  title: (street) => `Trabajo extra: ${street}`,
  what: '¿Qué quiere el cliente?',
  pick: 'Elige lo que quiere el cliente.',
  onStop: 'Ya está en esta parada',
  again: (what) => `${what}: ya está en esta parada. ¿Lo agregas otra vez, como trabajo adicional?`,
  addAgain: 'Agregar otra vez',
  notAgain: 'No agregar',
  quantity: (unit) => `Cuánto (${unit})`,
  units: { visit: 'veces', ksqft: '1,000 pies²', hour: 'horas', yard: 'yardas', each: 'piezas' },
  wrong: 'Escribe un número de 0.5 a 999.',
  note: 'Nota para la oficina',
  photo: 'Tomar una foto',
  photoOf: (n) => `Foto ${n}`,
  when: 'Cuándo',
  days: { today: 'Hoy, en esta parada', later: 'Otro día: la oficina lo planea' },
  noPrice: 'La oficina pone el precio y se lo dice al cliente. Nadie firma ahora.',
  sign: 'El cliente firma aquí',
  text: 'Enviar la pregunta al cliente',
  textHint: 'Sale con la próxima señal. Aquí ves la respuesta.',
  noWay: 'No hay celular ni correo del cliente: que firme aquí.',
  toOffice: 'Enviar a la oficina',
  saved: 'Trabajo extra guardado',
  hand: 'Entrega el teléfono al cliente',
  back: 'Atrás',
}

/** What the customer reads, in their own language. */
export const agreeTexts = {
  en: {
    name: 'Your name',
    sign: 'Sign here with your finger',
    clear: 'Clear',
    agree: 'I agree',
    needed: 'Sign above first, and give your name.',
  },
  es: {
    name: 'Su nombre',
    sign: 'Firme aquí con el dedo',
    clear: 'Borrar',
    agree: 'Acepto',
    needed: 'Primero firme arriba y dé su nombre.',
  },
} as const

export type SaleTexts = typeof en
export const saleTexts = (language: Language): SaleTexts => (language === 'es' ? es : en)
