const en = {
  here: (street: string, time: string) => `You seem to be at ${street} since ${time}.`,
  startAt: (time: string) => `Start with ${time}`,
  gone: (street: string, ago: string) => `You left ${street} ${ago} ago and it still runs.`,
  finishAt: (time: string) => `Finish with ${time}`,
  stillRuns: 'I am still on it',
  atShop: (time: string) => `All stops are done and you are at the shop since ${time}.`,
  leftShop: (time: string) => `You left the shop at ${time} and your clock still runs.`,
  allDone: (time: string) => `All stops are done since ${time} and your clock still runs.`,
  outNow: 'Clock out now',
  outAt: (time: string) => `Clock out with ${time}`,
  stillWorking: 'Still working',
  notNow: 'No',
}

const es: typeof en = {
  here: (street, time) => `Parece que estás en ${street} desde las ${time}.`,
  startAt: (time) => `Empezar a las ${time}`,
  gone: (street, ago) => `Saliste de ${street} hace ${ago} y sigue en marcha.`,
  finishAt: (time) => `Terminar a las ${time}`,
  stillRuns: 'Sigo en ella',
  atShop: (time) => `Todas las paradas están hechas y estás en el taller desde las ${time}.`,
  leftShop: (time) => `Saliste del taller a las ${time} y tu reloj sigue corriendo.`,
  allDone: (time) => `Todas las paradas están hechas desde las ${time} y tu reloj sigue corriendo.`,
  outNow: 'Marcar salida ahora',
  outAt: (time) => `Marcar salida a las ${time}`,
  stillWorking: 'Sigo trabajando',
  notNow: 'No',
}

export const suggestTexts = { en, es }
