const en = {
  title: 'On this device',
  what: 'Rings when your day changes, a stop is added, somebody writes to you, or you forgot to clock out. Also while the app is closed. No prices and no gate codes are shown.',
  on: 'This device rings.',
  off: 'This device does not ring.',
  turnOn: 'Turn on alerts',
  turnOff: 'Turn off alerts',
  denied: 'Alerts for this app are blocked. Allow them in the settings of your phone or browser, then try again.',
  failed: 'This did not work. You need a signal for it; nothing was changed.',
  cannot: 'Alerts do not reach this device. You see what changed when you open the app.',
  homeScreen:
    'On an iPhone, first add this app to your home screen (Share, Add to Home Screen). Then turn alerts on there.',
  topics: 'What rings',
  topicsHint: 'On all your devices. What does not ring is in the app all the same.',
  topic: {
    day: { name: 'My day', hint: 'A day that is sent or changes, a stop more or less, another crew' },
    chat: { name: 'Chat', hint: 'Somebody writes to you or your crew' },
    time: { name: 'My time', hint: 'A forgotten clock-out, an answer about your week' },
  },
}

const es: typeof en = {
  title: 'En este aparato',
  what: 'Suena cuando cambia tu día, hay una parada nueva, alguien te escribe u olvidaste marcar la salida. También con la app cerrada. No se muestran precios ni códigos de portón.',
  on: 'Este aparato suena.',
  off: 'Este aparato no suena.',
  turnOn: 'Activar avisos',
  turnOff: 'Desactivar avisos',
  denied:
    'Los avisos de esta app están bloqueados. Permítelos en los ajustes del teléfono o del navegador y prueba otra vez.',
  failed: 'No funcionó. Hace falta señal; no se cambió nada.',
  cannot: 'Los avisos no llegan a este aparato. Verás los cambios al abrir la app.',
  homeScreen:
    'En un iPhone, añade primero esta app a la pantalla de inicio (Compartir, Añadir a inicio). Luego activa allí los avisos.',
  topics: 'Qué suena',
  topicsHint: 'En todos tus aparatos. Lo que no suena está igual en la app.',
  topic: {
    day: { name: 'Mi día', hint: 'Un día enviado o cambiado, una parada más o menos, otra cuadrilla' },
    chat: { name: 'Chat', hint: 'Alguien te escribe a ti o a tu cuadrilla' },
    time: { name: 'Mis horas', hint: 'Una salida sin marcar, una respuesta sobre tu semana' },
  },
}

/** What the crew app says about alerts while it is closed. */
export const pushTexts = { en, es }
