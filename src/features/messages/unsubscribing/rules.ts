/** The page behind "Get no more offers": what it says, in the two languages that customers read. */

/** The button that takes an end of offers back; the ledger of consent keeps these words. */
export const keepWords = {
  en: 'That was a mistake: keep getting offers',
  es: 'Fue un error: seguir recibiendo ofertas',
} as const

export const cannotKeep = {
  en: 'Offers to this address were ended in another way, so this page cannot bring them back. Answer the mail and ask them. Nothing was changed.',
  es: 'Las ofertas a esta dirección se terminaron de otra manera, así que esta página no puede reactivarlas. Responda al correo y pídalo. No se cambió nada.',
} as const

export const unsubscribeWords = {
  en: {
    ask: 'Stop news and offers?',
    /** Around the names of who writes and to whom. */
    wouldStop: 'would no longer send offers, news and questions to',
    stop: 'Stop news and offers',
    done: 'Done',
    doneBefore: 'This is done already',
    stopped: 'sends no more news and offers to',
    still: 'Invoices, receipts and word about your visits still come.',
    kept: 'You keep getting offers',
    keeps: 'goes on sending news and offers to',
    failed: 'This did not work. Please try again.',
    badLink: 'This link does not work',
    badLinkHelp: 'It may be cut off. Open it again from the mail, or answer that mail and ask them to stop.',
  },
  es: {
    ask: '¿Dejar de recibir novedades y ofertas?',
    wouldStop: 'ya no enviaría ofertas, novedades ni preguntas a',
    stop: 'No recibir más novedades ni ofertas',
    done: 'Listo',
    doneBefore: 'Esto ya está hecho',
    stopped: 'ya no envía novedades ni ofertas a',
    still: 'Las facturas, los recibos y los avisos de sus visitas siguen llegando.',
    kept: 'Seguirá recibiendo ofertas',
    keeps: 'sigue enviando novedades y ofertas a',
    failed: 'Esto no funcionó. Inténtelo de nuevo.',
    badLink: 'Este enlace no funciona',
    badLinkHelp:
      'Puede estar cortado. Ábralo otra vez desde el correo, o responda a ese correo y pida que no le escriban más.',
  },
} as const
