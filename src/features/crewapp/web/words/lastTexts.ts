const en = {
  first: 'First visit here',
  lastTime: (head: string) => `Last time: ${head}`,
  photo: (n: number, head: string) => `Photo ${n} of the last time, ${head}`,
  waits: 'Its photos come with the next signal.',
}

const es: typeof en = {
  first: 'Primera visita aquí',
  lastTime: (head) => `La última vez: ${head}`,
  photo: (n, head) => `Foto ${n} de la última vez, ${head}`,
  waits: 'Sus fotos llegan con la próxima señal.',
}

/** The words of the last time at a stop. */
export const lastTexts = { en, es }
