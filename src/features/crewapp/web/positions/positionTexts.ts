const en = {
  title: 'Your position',
  what: 'Your office can see where you are while you are clocked in, never on a break and never off the clock. It is kept for 14 days. You can stop at any time; then it is all deleted.',
  inShell: 'It also works while the phone is in your pocket; the phone shows that it does.',
  inBrowser: 'It works while this app is open on the screen.',
  off: 'You do not share it.',
  since: (day: string) => `Sharing since ${day}.`,
  last: (time: string) => `The office saw you last at ${time}.`,
  none: 'The office has not seen you yet.',
  waiting: 'It begins when you clock in.',
  share: 'Share while I am on the clock',
  stop: 'Stop and delete everything',
  denied:
    'This phone does not let Swath know where it is. Allow it in the settings of the phone, then open this page again.',
  silent: 'This phone does not know where it is right now. It tries again by itself.',
  failed: 'This did not work. You need a signal for it; nothing was changed.',
  notification: { title: 'On the clock', text: 'Your office sees where you are until you clock out.' },
}

const es: typeof en = {
  title: 'Tu ubicación',
  what: 'Tu oficina puede ver dónde estás mientras tu reloj corre, nunca en un descanso ni fuera del reloj. Se guarda 14 días. Puedes dejarlo cuando quieras; entonces se borra todo.',
  inShell: 'También funciona con el teléfono en el bolsillo; el teléfono lo muestra.',
  inBrowser: 'Funciona mientras esta aplicación está abierta en la pantalla.',
  off: 'No la compartes.',
  since: (day) => `La compartes desde el ${day}.`,
  last: (time) => `La oficina te vio por última vez a las ${time}.`,
  none: 'La oficina aún no te ha visto.',
  waiting: 'Empieza cuando marcas tu entrada.',
  share: 'Compartir mientras mi reloj corre',
  stop: 'Dejar de compartir y borrar todo',
  denied:
    'Este teléfono no deja que Swath sepa dónde está. Permítelo en los ajustes del teléfono y abre esta página otra vez.',
  silent: 'Este teléfono no sabe ahora dónde está. Lo intenta otra vez por sí solo.',
  failed: 'No funcionó. Hace falta señal; no se cambió nada.',
  notification: { title: 'En el reloj', text: 'Tu oficina ve dónde estás hasta que marques tu salida.' },
}

export const positionTexts = { en, es }
