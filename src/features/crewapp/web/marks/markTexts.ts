import type { Language } from '../texts.ts'

const en = {
  heading: 'Photos here',
  kinds: { before: 'Before', after: 'After', other: 'Photo' },
  draw: (kind: string, n: number) => `Draw on photo ${n}, ${kind.toLowerCase()}`,
  photo: (kind: string, n: number) => `Photo ${n}, ${kind.toLowerCase()}`,
  waits: 'Comes with the next signal',
  title: 'Circle something',
  pad: 'The photo: draw on it with your finger',
  colors: 'Color of the pen',
  color: { red: 'Red', yellow: 'Yellow' },
  undo: 'Undo',
  clear: 'Clear all',
  save: 'Save drawing',
  saved: 'Drawing kept',
  full: 'No more lines fit on this photo.',
}

const es: typeof en = {
  heading: 'Fotos de aquí',
  kinds: { before: 'Antes', after: 'Después', other: 'Foto' },
  draw: (kind, n) => `Dibujar en la foto ${n}, ${kind.toLowerCase()}`,
  photo: (kind, n) => `Foto ${n}, ${kind.toLowerCase()}`,
  waits: 'Llega con la próxima señal',
  title: 'Marcar algo',
  pad: 'La foto: dibuja con el dedo',
  colors: 'Color del lápiz',
  color: { red: 'Rojo', yellow: 'Amarillo' },
  undo: 'Deshacer',
  clear: 'Borrar todo',
  save: 'Guardar dibujo',
  saved: 'Dibujo guardado',
  full: 'En esta foto no caben más líneas.',
}

export type MarkTexts = typeof en
export const markTexts = (language: Language): MarkTexts => (language === 'es' ? es : en)
