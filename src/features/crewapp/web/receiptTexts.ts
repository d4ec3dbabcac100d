const en = {
  title: 'Your receipts',
  lead: 'Fuel, the dump, parts: take a photo and the office books it.',
  add: 'Hand in a receipt',
  kinds: { fuel: 'Fuel', disposal: 'Dump fee', materials: 'Materials', repairs: 'Repairs', other: 'Other' },
  kind: 'What for',
  amount: 'Total in dollars',
  amountWrong: 'Type an amount like 45 or 62.50.',
  vendor: 'Where',
  note: 'Note',
  whose: 'Paid with',
  company: 'The company’s money',
  mine: 'My own money',
  photo: 'Take a photo of it',
  another: (n: number) => (n === 1 ? '1 photo. Take another' : `${n} photos. Take another`),
  send: 'Hand in',
  sent: (sum: string) => `${sum} handed in`,
  photoFailed: 'It is handed in, but without its photo. Show the office the paper.',
  failed:
    'Not handed in: this needs a signal, and is not kept on the phone. Leave it open, and press again when you have one.',
  none: 'None in the last 60 days.',
  states: { waiting: 'With the office', taken: 'Booked', paid_back: 'Paid back to you', removed: 'Not booked' },
}

const es: typeof en = {
  title: 'Tus recibos',
  lead: 'Combustible, vertedero, piezas: toma una foto y la oficina lo registra.',
  add: 'Entregar un recibo',
  kinds: {
    fuel: 'Combustible',
    disposal: 'Vertedero',
    materials: 'Materiales',
    repairs: 'Reparaciones',
    other: 'Otro',
  },
  kind: 'Para qué',
  amount: 'Total en dólares',
  amountWrong: 'Escribe un monto como 45 o 62.50.',
  vendor: 'Dónde',
  note: 'Nota',
  whose: 'Pagado con',
  company: 'Dinero de la empresa',
  mine: 'Mi propio dinero',
  photo: 'Tomar una foto',
  another: (n) => (n === 1 ? '1 foto. Tomar otra' : `${n} fotos. Tomar otra`),
  send: 'Entregar',
  sent: (sum) => `${sum} entregado`,
  photoFailed: 'Se entregó, pero sin la foto. Muestra el papel en la oficina.',
  failed:
    'No se entregó: hace falta señal y no se guarda en el teléfono. Déjalo abierto y presiona otra vez cuando la tengas.',
  none: 'Ninguno en los últimos 60 días.',
  states: { waiting: 'En la oficina', taken: 'Registrado', paid_back: 'Reembolsado', removed: 'No registrado' },
}

/** The words of one's own receipts. */
export const receiptTexts = { en, es }
