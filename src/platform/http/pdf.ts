import type { FastifyReply } from 'fastify'

/** Answers with a PDF that a browser shows and saves under its own name. @param name without the ending */
export const sendPdf = (reply: FastifyReply, name: string, pdf: Uint8Array): Uint8Array => {
  reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .serializer((bytes: unknown) => bytes as string)
  return pdf
}
