import type { FastifyReply } from 'fastify'

/** Answers with a file of text that a browser saves under its name. */
export const sendText = (reply: FastifyReply, file: { name: string; mime: string; text: string }): string => {
  reply
    .type(`${file.mime}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .serializer((made: unknown) => made as string)
  return file.text
}
