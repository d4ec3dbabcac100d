/**
 * Whoever calls this (a test run has NODE_ENV=test), the web is built for production: React checks nothing twice and is half the size. A process that
 * rendered once has React loaded in one of its two versions and cannot mix them, so everything that builds goes through here.
 */
export const asProduction = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
