import { customerPartLabels, type NotePart } from '../../../visits/notes/rules.ts'

const en = {
  title: (street: string) => `Note for ${street}`,
  customer: 'To the customer',
  customerHint: 'The customer reads this with the visit and the invoice.',
  customerHintEs: 'The customer reads Spanish. The phrases are written in Spanish.',
  parts: {
    ...customerPartLabels.en,
    office: 'To the office',
    next: 'For next time',
  } satisfies Record<NotePart, string>,
  hints: {
    office: 'Only the office reads this.',
    next: 'Whoever comes next reads this here.',
  },
  said: (text: string) => `Said already: ${text}`,
  pick: (part: string) => `Phrases, ${part.toLowerCase()}`,
  save: 'Save note',
  saved: 'Note kept',
  nothing: 'Write or pick something first.',
}

const es: typeof en = {
  title: (street) => `Nota para ${street}`,
  customer: 'Para el cliente',
  customerHint: 'El cliente lee esto con la visita y la factura. Lee inglés: las frases se escriben en inglés.',
  customerHintEs: 'El cliente lee esto con la visita y la factura. Las frases se escriben en español.',
  parts: { ...customerPartLabels.es, office: 'Para la oficina', next: 'Para la próxima vez' },
  hints: {
    office: 'Solo la oficina lo lee. Las frases se escriben en inglés.',
    next: 'Quien venga después lo lee aquí.',
  },
  said: (text) => `Ya dicho: ${text}`,
  pick: (part) => `Frases, ${part.toLowerCase()}`,
  save: 'Guardar nota',
  saved: 'Nota guardada',
  nothing: 'Escribe o elige algo primero.',
}

/** The words of notes at a stop, and of the last time there. */
export const wordsTexts = { en, es }
