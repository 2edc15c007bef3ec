import * as decorators from './decorators';

type Decorator = (given?: object | string) => MethodDecorator & ClassDecorator & PropertyDecorator;
type Name = 'ApiBearerAuth' | 'ApiBody' | 'ApiOkResponse' | 'ApiOperation' | 'ApiTags';

/** For packages beside this one, whose declarations are whole without `@nestjs/swagger` too. */
export const { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } = decorators as unknown as Readonly<
  Record<Name, Decorator>
>;
